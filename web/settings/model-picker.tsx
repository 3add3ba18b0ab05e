import { Cpu, RefreshCw } from 'lucide-react';
import { useState } from 'react';
import { pluralize } from '../../src/core/text/pluralize.ts';
import { rankMatches } from '../palette/match.ts';
import { OptionRow } from '../palette/option-row.tsx';
import type { PaletteOption } from '../palette/options.tsx';
import { SearchField } from '../palette/search-field.tsx';
import { Button } from '../ui/controls/button.tsx';
import { Glyph } from '../ui/icon.tsx';
import { escapeBidi } from '../ui/text/escape-bidi.ts';
import { LABELS } from './model-fields.ts';
import styles from './model-picker.module.css';
import type { OfferedState } from './use-offered.ts';

const MAX_SHOWN = 60;

interface ModelPickerProps {
  readonly model: string;
  readonly offered: OfferedState;
  onModel(model: string): void;
  onList(): void;
}

/** The ID of a model: typed, or chosen from those its server lists. */
export function ModelPicker({ model, offered, onModel, onList }: ModelPickerProps) {
  const [activeIndex, setActiveIndex] = useState(-1);
  const { models, problem, isAsking } = offered;
  const isListed = models.includes(model);
  const matches = isListed ? models : rankMatches(models, String, model).map(({ item }) => item);
  const options = matches.slice(0, MAX_SHOWN).map(
    (id, index): PaletteOption => ({
      id: `offered-${index}`,
      icon: <Glyph icon={Cpu} />,
      name: escapeBidi(id),
      act: () => choose(id),
    }),
  );

  function choose(id: string): void {
    onModel(id);
    setActiveIndex(-1);
  }

  return (
    <div className={styles.picker}>
      <span className={styles.label} aria-hidden="true">
        {LABELS.model}
      </span>
      <div className={styles.line}>
        <SearchField
          label={LABELS.model}
          name="model"
          isRequired={true}
          isFramed={true}
          text={model}
          list="offered-models"
          options={options}
          activeIndex={activeIndex}
          onText={(text) => {
            onModel(text);
            setActiveIndex(-1);
          }}
          onActivate={setActiveIndex}
          onEnter={() => options[activeIndex]?.act?.()}
        />
        <Button icon={RefreshCw} disabled={isAsking} onClick={onList}>
          {isAsking ? 'Asking…' : 'List models'}
        </Button>
      </div>
      <div
        id="offered-models"
        role="listbox"
        aria-label="Models on this server"
        tabIndex={-1}
        className={options.length > 0 ? styles.list : styles.empty}
      >
        {options.map((option, index) => (
          <OptionRow
            key={option.id}
            option={option}
            isActive={index === activeIndex || (isListed && activeIndex < 0 && matches[index] === model)}
            query={isListed ? '' : model}
            onChoose={() => option.act?.()}
          />
        ))}
      </div>
      <p className={styles.hint} role="status">
        {problem !== undefined && escapeBidi(problem)}
        {problem === undefined && models.length > 0 && `${pluralize(models.length, 'model')} on this server.`}
        {problem === undefined && models.length > 0 && model !== '' && !isListed && ' This ID is not among them.'}
        {problem === undefined && models.length === 0 && 'The provider’s model ID. “List models” asks the server.'}
      </p>
    </div>
  );
}
