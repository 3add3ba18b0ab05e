import { type ReactNode, useContext, useMemo } from 'react';
import type { ExchangeStatus } from '../../../src/client/index.ts';
import { useStore } from '../../data/store.ts';
import { Face, Name } from '../../ui/people/participant.tsx';
import { People } from '../../ui/people/people.ts';
import { escapeBidi } from '../../ui/text/escape-bidi.ts';
import styles from './cast.module.css';
import type { LiveExchange } from './live-exchange.ts';

const AUDITOR = 'auditor';

interface CastProps {
  readonly exchange: LiveExchange;
  readonly status: ExchangeStatus;
}

/** The minds and the auditor are models, whatever they are called. */
export function CastPeople({ exchange, status, children }: CastProps & { readonly children: ReactNode }) {
  const findPerson = useContext(People);
  const { rounds } = useStore(exchange.timeline);
  const models = useMemo(
    () =>
      new Set([
        AUDITOR,
        ...status.minds.map(({ id }) => id),
        ...rounds.flatMap(({ calls }) => calls.map(({ author }) => author)),
      ]),
    [status.minds, rounds],
  );
  const find = useMemo(
    () => (id: string) => {
      const known = findPerson(id);
      return models.has(id) && known?.kind !== 'model' ? { name: id, kind: 'model' as const } : known;
    },
    [models, findPerson],
  );
  return <People value={find}>{children}</People>;
}

/** What it is about, and who takes part. */
export function Cast({ exchange, status }: CastProps) {
  const { rounds, audits } = useStore(exchange.timeline);
  const auditor = useStore(exchange.terms)?.now.terms.auditor_model;
  const lastModel = (id: string) =>
    rounds.flatMap(({ calls }) => calls).find(({ author }) => author === id)?.model ?? 'default model';
  const auditorModel = auditor ?? audits[0]?.model ?? 'default model';
  return (
    <header className={styles.cast}>
      <p className={styles.question} dir="auto">
        {escapeBidi(status.question)}
      </p>
      <ul className={styles.people} aria-label="Participants">
        {status.minds.map(({ id, model }) => (
          <Member key={id} id={id} part={`Mind · ${model ?? lastModel(id)}`} />
        ))}
        <Member id={AUDITOR} part={`Auditor · ${auditorModel}`} />
        {!status.control && <Member id={exchange.me} name="You" part="Observer" />}
      </ul>
    </header>
  );
}

interface MemberProps {
  readonly id: string;
  readonly name?: string;
  readonly part: string;
}

function Member({ id, name, part }: MemberProps) {
  return (
    <li>
      <Face id={id} size="medium" />
      <span>
        {name ?? <Name id={id} />}
        <small dir="auto">{escapeBidi(part)}</small>
      </span>
    </li>
  );
}
