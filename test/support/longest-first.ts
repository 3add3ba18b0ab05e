import { BaseSequencer, type TestSpecification } from 'vitest/node';

const ORDER = ['attack', 'faults', 'e2e', 'alone', 'unit', 'web'];

/** What takes longest begins first, so that no worker waits for the other at the end. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ project }: TestSpecification) => ORDER.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => place(a) - place(b));
  }
}
