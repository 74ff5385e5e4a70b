import { useAtomValue } from 'jotai'
import { useState } from 'react'
import { mayRun } from '../../commands/can.ts'
import { commandIds, commandOf } from '../../commands/table.ts'
import { preferencesAtom } from '../../data/preferences.ts'
import { find } from '../../palette/rank.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { allBindings, effective } from '../keys/bindings.ts'
import { isMac, shownAs } from '../keys/token.ts'
import { desk } from '../theDesk.ts'
import { contextTitle, here } from './contexts.ts'

/** The `?` sheet: every key that works, what works here first; searchable, and made from the tables. */
export function HelpSheet({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  const [place] = useState(here)
  const { keys } = useAtomValue(preferencesAtom)
  const all = allBindings(effective(keys)).filter(({ id }) => mayRun(commandOf(id), desk.me.role))
  const shown = all.filter(
    ({ id, keys }) => !text || find(text, { title: commandOf(id).title, names: keys, keywords: commandOf(id).keywords ?? '' }),
  )
  const contexts = [...new Set([...place, ...all.flatMap(({ contexts }) => contexts)])]
  const sections = contexts.flatMap((context) => {
    // What two kinds of record share stands once, where it works now or first.
    const rows = shown.filter((row) => (row.contexts.find((one) => place.includes(one)) ?? row.contexts[0]) === context)
    return rows.length ? [{ context, rows }] : []
  })
  const without = text
    ? commandIds
        .filter(
          (id) =>
            !commandOf(id).hidden &&
            mayRun(commandOf(id), desk.me.role) &&
            !all.some((one) => one.id === id) &&
            find(text, { title: commandOf(id).title, keywords: commandOf(id).keywords ?? '' }),
        )
        .slice(0, 20)
    : []
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
      <div className="columns-2 gap-8 max-sm:columns-1">
        {sections.map(({ context, rows }) => (
          <section key={context} className="mb-4 break-inside-avoid-column">
            <h3 className="mb-1 text-meta font-medium text-faint">
              {contextTitle(context)}
              {place.includes(context) && context !== 'app' ? ', here' : ''}
            </h3>
            <dl>
              {rows.map(({ id, keys }) => (
                <div key={id} className="flex min-h-7 items-center justify-between gap-3">
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
            <h3 className="mb-1 text-meta font-medium text-faint">Without a key</h3>
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
      {!sections.length && !without.length && <p className="py-6 text-muted">Nothing is called “{text}”.</p>}
      <p className="py-2 text-meta text-faint">
        <Kbd keys={isMac ? '⌘K' : 'Ctrl+K'} /> and <Kbd keys="F1" /> open the palette everywhere. Every other key can be changed
        in Account settings.
      </p>
    </Dialog>
  )
}
