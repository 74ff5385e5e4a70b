import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { mayRun } from '../../commands/availability.ts'
import { type CommandId, commandIds, commandOf, isCommandId } from '../../commands/table.ts'
import { preferencesAtom } from '../../data/preferences.ts'
import { find } from '../../palette/rank.ts'
import { atNow, keymapAtom } from '../../runner/keys/activeContext.ts'
import { isMac, shownAs } from '../../runner/keys/token.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { contextTitle } from './contexts.ts'
import { sheetOf } from './sheet.ts'

/** The `?` sheet: every shortcut, those at the focus first; searchable, and derived from the tables. */
export function HelpSheet({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [place] = useState(atNow)
  const { single_keys } = useAtomValue(preferencesAtom)
  const whole = sheetOf(useAtomValue(keymapAtom), place)
  const asked = (id: CommandId, names: readonly string[] = []) => {
    const { title, keywords = '' } = commandOf(id)
    return !text || find(text, { title, names, keywords })
  }
  const sections = whole.flatMap(({ rows, ...section }) => {
    const found = rows.flatMap(({ id, keys }) => (isCommandId(id) && asked(id, keys) ? [{ id, keys }] : []))
    return found.length ? [{ ...section, rows: found }] : []
  })
  const withKeys = new Set(whole.flatMap(({ rows }) => rows.map(({ id }) => id)))
  const without = text
    ? commandIds()
        .filter((id) => !commandOf(id).hidden && mayRun(id, commandOf(id), workspace.me.role) && !withKeys.has(id) && asked(id))
        .slice(0, 20)
    : []
  const count = sections.reduce((sum, { rows }) => sum + rows.length, without.length)
  return (
    <Dialog open onClose={onClose} size="lg" title="Keys and commands" initialFocus="input">
      <SearchInput
        value={text}
        onChange={setText}
        onClose={onClose}
        label="Search keys and commands"
        placeholder="Search keys and commands"
        className="sticky top-0 z-10 bg-raised pb-2"
      />
      <div data-keys-kept="" className="columns-2 gap-8 max-sm:columns-1">
        {sections.map(({ context, here, rows }) => (
          <section key={context} data-context={context} className="mb-4 break-inside-avoid-column">
            <h3 className="mb-1 text-meta font-medium text-faint">
              {contextTitle(context)}
              {here && context !== 'app' ? ', here' : ''}
            </h3>
            <dl>
              {rows.map(({ id, keys }) => (
                <div key={id} data-id={id} className="flex min-h-7 items-center justify-between gap-3">
                  <dt className="min-w-0 truncate">{commandOf(id).title}</dt>
                  <dd className="flex shrink-0 gap-1">
                    {keys.map((one) => (
                      <Kbd key={one} keys={shownAs(one, isMac)} />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {without.length > 0 && (
          <section className="mb-4 break-inside-avoid-column">
            <h3 className="mb-1 text-meta font-medium text-faint">No shortcut</h3>
            <ul>
              {without.map((id) => (
                <li key={id} className="min-h-7">
                  {commandOf(id).title}
                </li>
              ))}
            </ul>
          </section>
        )}
      </div>
      <p role="status" className="sr-only">
        {!text ? '' : count ? `${count} found` : `Nothing is called “${text}”.`}
      </p>
      {count === 0 && <p className="py-6 text-muted">Nothing is called “{text}”.</p>}
      <p className="py-2 text-meta text-faint">
        <Kbd keys={isMac ? '⌘K' : 'Ctrl+K'} /> and <Kbd keys="F1" /> open the palette everywhere. Every other key can be changed
        in Account settings. With a screen reader, single letters need its focus mode.{' '}
        {single_keys ? '' : 'Single letters and signs are turned off there, and so are sequences that begin with one.'}
      </p>
    </Dialog>
  )
}
