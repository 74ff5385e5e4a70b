import { Command } from 'cmdk'
import { ArrowRight, Check, History, ListChecks, Upload } from 'lucide-react'
import { useRef } from 'react'
import { nounOf } from '../../contract/nounOf.ts'
import { UPLOAD_LIMIT } from '../../contract/vocabulary.ts'
import type { Ask } from '../commands/command.ts'
import type { Subject } from '../commands/subject.ts'
import { isMac, shownAs } from '../runner/keys/keyReading.ts'
import type { Choice } from './choices.ts'
import { goOnWith } from './multiSelect.ts'
import { Group, Item, Line } from './rowParts.tsx'
import { type PastText, readChosen, readDraft, type Steps, takesSeveral, understood } from './steps.ts'
import { SUBJECT } from './useSteps.ts'

/** A choice as a list row. */
export type AnswerRow = { choice: Choice; key: string }

/** Lists a question's choices, or what continuing with the typed text does. */
export function Answers({
  ask,
  label,
  steps,
  rows,
  past,
  waiting,
  today,
  onPick,
  firstMany,
  onFirstMany,
  runs,
  onGive,
}: {
  ask: Ask | null
  label: string
  steps: Steps
  rows: readonly AnswerRow[]
  /** Texts used before. */
  past: readonly PastText[]
  waiting: boolean
  today: string
  onPick: (choice: Choice) => void
  /** How many of the first choices a typed number selects; null without one. */
  firstMany: number | null
  onFirstMany: () => void
  /** What the answer does at once, as on a button; null if more follows. */
  runs: string | null
  onGive: (value: unknown) => void
}) {
  const { at, draft, chosen, asking } = steps
  const records = at === SUBJECT || ask?.type === 'entity' || ask?.type === 'entities'
  const title = records ? (draft ? 'Found' : 'Choose, or type a name') : label
  return (
    <Command.List className="min-h-0 overflow-y-auto border-t border-line pt-1 pb-1">
      {rows.length > 0 ? (
        <Group title={title}>
          {rows.map(({ choice, key }) => (
            <Item
              key={key}
              ticked={takesSeveral(ask) ? chosen.includes(choice.value) : undefined}
              row={{
                key,
                title: choice.label,
                detail: choice.detail,
                ranges: choice.ranges,
                icon: choice.kind ? nounOf(choice.kind)?.icon : undefined,
                keys: null,
                reason: null,
                act: { type: 'path', path: '' },
              }}
              onSelect={() => onPick(choice)}
            />
          ))}
        </Group>
      ) : ask && ['text', 'number', 'date'].includes(ask.type) ? (
        <>
          <Typed ask={ask} label={label} steps={steps} today={today} runs={runs} onGive={onGive} />
          {past.length > 0 && (
            <Group title="Used before">
              {past.map(({ key, text }) => (
                <Line key={key} value={key} icon={<History size={14} aria-hidden="true" />} onSelect={() => onGive(text)}>
                  <bdi className="min-w-0 truncate">{text}</bdi>
                </Line>
              ))}
            </Group>
          )}
        </>
      ) : ask?.type === 'file' ? (
        <Files ask={ask} onGive={onGive} />
      ) : firstMany !== null ? (
        <Group title={title}>
          <Line value="next" icon={<ListChecks size={14} aria-hidden="true" />} keys="Enter" onSelect={onFirstMany}>
            Select the first {firstMany}
          </Line>
        </Group>
      ) : (
        <p className="px-4 py-5 text-muted">
          {waiting ? 'Loading choices' : draft.trim() ? `No results for “${draft.trim()}”.` : 'Type a name.'}
        </p>
      )}
      {takesSeveral(ask) && <Done ask={ask} chosen={chosen} subjects={asking.subjects} onGive={onGive} />}
    </Command.List>
  )
}

function Typed({
  ask,
  label,
  steps: { draft, asking },
  today,
  runs,
  onGive,
}: {
  ask: Ask
  label: string
  steps: Steps
  today: string
  runs: string | null
  onGive: (value: unknown) => void
}) {
  const interpreted = understood(ask, draft, today)
  const goOn = asking.theirs ? 'Continue with mine' : runs ? runs : interpreted ? `Continue with ${interpreted}` : 'Continue'
  return (
    // The label stays above the answer, as a prefilled field hides its placeholder.
    <Group title={label}>
      <Line
        value="next"
        icon={<ArrowRight size={14} aria-hidden="true" />}
        keys="Enter"
        onSelect={() => onGive(readDraft(ask, draft, today))}
      >
        {draft.trim()
          ? goOn
          : ask.optional
            ? runs
              ? `${runs} without a ${label.toLowerCase()}`
              : 'Leave it empty'
            : `Type the ${label.toLowerCase()}, then Enter`}
      </Line>
    </Group>
  )
}

function Files({ ask, onGive }: { ask: Extract<Ask, { type: 'file' }>; onGive: (value: unknown) => void }) {
  const files = useRef<HTMLInputElement>(null)
  return (
    <div className="px-1.5">
      <Line value="next" icon={<Upload size={14} aria-hidden="true" />} keys="Enter" onSelect={() => files.current?.click()}>
        Choose {ask.many ? 'files' : 'a file'}
      </Line>
      <p className="px-2.5 py-1 text-meta text-muted">
        {ask.types.join(', ')}, below {UPLOAD_LIMIT / 1024 / 1024} MB{ask.many ? ' each' : ''}
      </p>
      <input
        ref={files}
        type="file"
        hidden
        multiple={ask.many}
        accept={ask.types.map((type) => `.${type}`).join()}
        onChange={(event) => onGive([...(event.target.files ?? [])])}
      />
    </div>
  )
}

/** Continues with the selected options; always visible, however long the list. */
function Done({
  ask,
  chosen,
  subjects,
  onGive,
}: {
  ask: Extract<Ask, { type: 'several' | 'entities' }>
  chosen: readonly string[]
  subjects: readonly Subject[]
  onGive: (value: unknown) => void
}) {
  return (
    <div className="sticky -bottom-1 border-t border-line bg-raised px-1.5 pt-1 pb-1">
      <Line
        value="done"
        icon={<Check size={14} aria-hidden="true" />}
        keys={chosen.length || ask.optional ? 'Enter' : shownAs('Mod+Enter', isMac)}
        onSelect={() => onGive(readChosen(ask, chosen))}
      >
        {goOnWith(ask, chosen, subjects)}
      </Line>
    </div>
  )
}
