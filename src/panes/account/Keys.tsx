import { useAtomValue } from 'jotai'
import { useDeferredValue, useMemo, useState } from 'react'
import { mayRun } from '../../commands/can.ts'
import { type CommandId, commandIds, commandOf } from '../../commands/table.ts'
import { preferencesAtom, setPreferences } from '../../data/preferences.ts'
import { currentMe } from '../../data/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { contextsOf, effective, keysOf } from '../../workspace/keys/bindings.ts'
import { isMac, shownAs } from '../../workspace/keys/token.ts'
import { desk } from '../../workspace/theDesk.ts'
import { KeyDialog } from './KeyDialog.tsx'
import { SingleKeys } from './Look.tsx'
import { Part } from './Part.tsx'

const FEW = 12
const PLACES: Readonly<Record<string, string>> = {
  app: 'everywhere',
  list: 'in lists',
  entry: 'on rewards',
  campaign: 'on survey projects',
}
// Projects of both generations have the same keys: one place.
const placeOf = (id: CommandId) =>
  contextsOf(id)
    .filter((context, _, all) => context !== 'campaign' || !all.includes('project'))
    .map((context) => PLACES[context] ?? `on ${context}s`)
    .join(', ')

/** Every command with its keys, to be found, changed and set back (workspace.md, Keys). */
export function Keys() {
  const { keys: own } = useAtomValue(preferencesAtom)
  const [text, setText] = useState('')
  const [all, setAll] = useState(false)
  const [changing, setChanging] = useState<CommandId | null>(null)
  const wanted = useDeferredValue(text.trim().toLowerCase())
  const map = effective(own)
  const { role } = currentMe()
  const rows = useMemo(() => {
    const words = wanted.split(/\s+/).filter(Boolean)
    return commandIds
      .filter((id) => mayRun(commandOf(id), role))
      .map((id) => {
        const keys = keysOf(map, id)
        return { id, title: commandOf(id).title.replace(/…$/, ''), keys, own: own[id] !== undefined, place: placeOf(id) }
      })
      .filter((row) =>
        words.length
          ? words.every((word) => `${row.title} ${row.place} ${row.keys ?? ''} ${row.id}`.toLowerCase().includes(word))
          : row.keys !== null || row.own,
      )
      .sort((a, b) => Number(b.own) - Number(a.own))
  }, [wanted, map, own, role])
  const shown = all || wanted ? rows : rows.slice(0, FEW)

  const save = (id: CommandId, keys: string | null) => {
    const { [id]: _, ...rest } = own
    setPreferences({ keys: keys === null ? rest : { ...rest, [id]: keys } }).catch((error: Error) =>
      desk.notice(error.message, 'bad'),
    )
    setChanging(null)
  }
  return (
    <Part
      title="Keys"
      about={
        <>
          Every command can have other keys, or none. <Kbd keys="F1" /> and <Kbd keys={isMac ? '⌘K' : 'Ctrl+K'} /> always open the
          palette.
        </>
      }
      action={<SingleKeys />}
    >
      <SearchInput
        value={text}
        onChange={setText}
        label="Search commands"
        placeholder={`Search ${commandIds.length} commands`}
        className="mb-2 max-w-80"
      />
      <table className="w-full" data-field="keys">
        <thead className="sr-only">
          <tr>
            <th>Command</th>
            <th>Where</th>
            <th>Keys</th>
            <th>Change</th>
          </tr>
        </thead>
        <tbody className="divide-y divide-line">
          {shown.map((row) => (
            <tr key={row.id} className="h-row">
              <td className="max-w-0 truncate pr-3" title={row.id}>
                {row.title}
              </td>
              <td className="hidden w-36 truncate pr-3 text-meta text-muted @xl:table-cell">{row.place}</td>
              <td className="w-24 pr-3 whitespace-nowrap">
                {row.keys ? <Kbd keys={shownAs(row.keys, isMac)} /> : <span className="text-meta text-faint">none</span>}
              </td>
              <td className="w-px text-right whitespace-nowrap">
                {row.own && (
                  <Button
                    variant="ghost"
                    className="h-6!"
                    aria-label={`Set the keys of ${row.title} back`}
                    onClick={() => save(row.id, null)}
                  >
                    Set back
                  </Button>
                )}
                <Button
                  variant="ghost"
                  className="h-6!"
                  aria-label={`Change the keys of ${row.title}`}
                  onClick={() => setChanging(row.id)}
                >
                  Change
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length === 0 && <p className="py-3 text-muted">No command is called “{text.trim()}”.</p>}
      {shown.length < rows.length && (
        <Button data-view="" variant="ghost" className="mt-2" aria-expanded={all} onClick={() => setAll(true)}>
          Show all {rows.length}
        </Button>
      )}
      {changing && (
        <KeyDialog id={changing} own={own} onClose={() => setChanging(null)} onSave={(keys) => save(changing, keys)} />
      )}
    </Part>
  )
}
