import { Command as Shell } from 'cmdk'
import { ArrowLeft, Check, CircleOff, List } from 'lucide-react'
import { useMemo } from 'react'
import { count } from '../../contract/format.ts'
import type { Command } from '../commands/command.ts'
import { effectOf } from '../runner/reviewText.ts'
import type { Asking } from '../runner/runnerState.ts'
import { Conflicts } from './Conflicts.tsx'
import { EffectText } from './EffectText.tsx'
import { NameList } from './NameList.tsx'
import { Line } from './rowParts.tsx'
import type { Foreseeing } from './useForeseen.ts'

/** Returns the names of a review, top to bottom. */
export const reviewLines = ({ subjects, left }: Pick<Asking, 'subjects' | 'left'>): readonly string[] => [
  ...(subjects.length || !left.length ? ['go'] : []),
  ...(left.length ? ['left'] : []),
  ...(subjects.length > 1 ? ['look'] : []),
  'back',
]

/** Shows what a command is about to do; for several records, who is affected and who is skipped. */
export function Review({
  command,
  asking,
  foreseen,
  selected,
  onGo,
  onSelect,
  onBack,
  onEnter,
  onLeave,
  textId,
}: {
  command: Command
  asking: Asking
  /** The effect by the server; until it arrives, Enter does nothing. */
  foreseen: Foreseeing
  selected: string
  onGo: () => void
  onSelect: (line: string) => void
  onBack: () => void
  /** Moves the focus into the list of names, and back to the field. */
  onEnter: () => void
  onLeave: () => void
  /** The id of the text that describes the field. */
  textId: string
}) {
  const { subjects, left } = asking
  const effect = useMemo(() => effectOf(command, asking, foreseen.effect), [command, asking, foreseen.effect])
  const refused = useMemo(() => left.map(({ subject, reason }) => ({ id: subject.id, name: subject.name, reason })), [left])
  return (
    <div data-review="" aria-busy={foreseen.loading || undefined} className="flex min-h-0 flex-col border-t border-line">
      <EffectHead id={textId} effect={effect} asking={asking} loading={foreseen.loading} />
      {selected === 'look' && subjects.length > 1 && (
        <div className="px-4 pb-2">
          <NameList label="Affected" rows={subjects} onLeave={onLeave} />
        </div>
      )}
      {selected === 'left' && (
        <div className="px-4 pb-2">
          <NameList label="Skipped" rows={refused} onLeave={onLeave} />
        </div>
      )}
      <Shell.List className="shrink-0 px-1.5 pb-1.5">
        {(subjects.length > 0 || !left.length) && (
          <Line value="go" icon={<Check size={14} aria-hidden="true" />} keys="Enter" onSelect={() => foreseen.loading || onGo()}>
            {effect.action}
          </Line>
        )}
        {left.length > 0 && (
          <Line
            value="left"
            icon={<CircleOff size={14} aria-hidden="true" />}
            keys="Tab"
            onSelect={() => (selected === 'left' ? onEnter() : onSelect('left'))}
          >
            Show {count(left.length)} skipped
          </Line>
        )}
        {subjects.length > 1 && (
          <Line
            value="look"
            icon={<List size={14} aria-hidden="true" />}
            keys={left.length ? null : 'Tab'}
            onSelect={() => (selected === 'look' ? onEnter() : onSelect('look'))}
          >
            Review the {count(subjects.length)} first
          </Line>
        )}
        <Line value="back" icon={<ArrowLeft size={14} aria-hidden="true" />} keys="Esc" onSelect={onBack}>
          Back
        </Line>
      </Shell.List>
    </div>
  )
}

/** The effect next to the last question, whose answer runs the command. */
export function Effect({ command, asking, textId }: { command: Command; asking: Asking; textId: string }) {
  return <EffectHead id={textId} effect={effectOf(command, asking)} asking={asking} />
}

function EffectHead({
  id,
  effect,
  asking,
  loading: coming = false,
}: {
  id: string
  effect: ReturnType<typeof effectOf>
  asking: Asking
  loading?: boolean
}) {
  return (
    // Not a live region, because it appears with its text. It describes the field, and `Announcement` announces it.
    <div id={id} data-review-text="" aria-busy={coming || undefined} className="min-h-0 overflow-y-auto px-4 pt-3 pb-2">
      <h2 className="text-title">{effect.title}</h2>
      <div className="mt-1 text-muted">
        <EffectText effect={effect} />
      </div>
      {effect.left && <p className="mt-1 text-amber-ink">{effect.left}</p>}
      <Conflicts asking={asking} />
    </div>
  )
}
