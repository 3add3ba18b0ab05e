import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ORDER = ['attack', 'faults', 'e2e', 'alone', 'unit', 'web'];
/** Short files whose tests take long; of the others, size is a fair guess. */
const LONG = /\/(contract|postgres|overnight)\.test\.ts$/;

/** What takes longest begins first, so that no worker waits for the other at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project, moduleId }: TestSpecification) =>
      ORDER.indexOf(project.name) - (LONG.test(moduleId) ? 0.5 : 0);
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
