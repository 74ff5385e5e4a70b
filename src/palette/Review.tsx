import { Command as Shell } from 'cmdk'
import { ArrowLeft, Check, List } from 'lucide-react'
import type { Command } from '../commands/command.ts'
import { effectOf } from '../workspace/runner/effect.ts'
import type { Asking } from '../workspace/runner/state.ts'
import { Line } from './parts.tsx'

/** What a command is about to do, in a sentence, before it does it. */
export function Review({
  command,
  asking,
  looking,
  onGo,
  onLook,
  onBack,
}: {
  command: Command
  asking: Asking
  looking: boolean
  onGo: () => void
  onLook: () => void
  onBack: () => void
}) {
  const { title, body, action, left } = effectOf(command, asking)
  const { subjects } = asking
  return (
    <div className="flex min-h-0 flex-col border-t border-line">
      <div role="status" className="overflow-y-auto px-4 pt-3 pb-2">
        <h2 className="text-title">{title}</h2>
        {body && <p className="mt-1 text-muted">{body}</p>}
        {left && <p className="mt-1 text-amber-ink">{left}</p>}
        <Clashes theirs={asking.theirs} />
        {looking && subjects.length > 1 && (
          <ul aria-label="What it is done to" className="mt-2 max-h-48 overflow-y-auto rounded-md border border-line">
            {subjects.map((subject) => (
              <li key={subject.id} className="border-b border-line px-2.5 py-1 last:border-0">
                {subject.name}
              </li>
            ))}
          </ul>
        )}
      </div>
      <Shell.List className="px-1.5 pb-1.5">
        <Line value="go" icon={<Check size={14} aria-hidden="true" />} keys="Enter" onSelect={onGo}>
          {action}
        </Line>
        {subjects.length > 1 && (
          <Line value="look" icon={<List size={14} aria-hidden="true" />} keys="Tab" onSelect={onLook}>
            Look at the {subjects.length} first
          </Line>
        )}
        <Line value="back" icon={<ArrowLeft size={14} aria-hidden="true" />} keys="Esc" onSelect={onBack}>
          Back
        </Line>
      </Shell.List>
    </div>
  )
}

/** The fields that somebody else changed meanwhile. */
export function Clashes({ theirs }: Pick<Asking, 'theirs'>) {
  if (!theirs?.length) return null
  return (
    <dl className="mt-2 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 rounded-md bg-amber-wash px-3 py-2">
      {theirs.map((field) => (
        <div key={field.label} className="contents">
          <dt className="text-muted">{field.label}</dt>
          <dd className="truncate">{field.theirs || 'empty'}</dd>
        </div>
      ))}
    </dl>
  )
}
