import { useAtomValue } from 'jotai'
import { useDeferredValue, useMemo, useRef, useState } from 'react'
import { wordOf } from '../../../contract/nounOf.ts'
import { mayRun } from '../../commands/availability.ts'
import { type CommandId, commandIds, commandOf } from '../../commands/table.ts'
import { preferencesAtom, setPreferences } from '../../data/preferences.ts'
import { currentMe } from '../../data/session.ts'
import { allBindings, contextsOf, currentKeys, effective } from '../../runner/keys/bindings.ts'
import { KeyDialog, saveKeys } from '../../runner/keys/KeyDialog.tsx'
import { isMac, shownAs } from '../../runner/keys/keyReading.ts'
import { Button } from '../../ui/Button.tsx'
import { Kbd } from '../../ui/Kbd.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { SettingsSection } from '../shared/SettingsSection.tsx'
import { SingleKeys } from './Appearance.tsx'

const FEW = 12
const PLACES: Readonly<Record<string, string>> = {
  app: 'everywhere',
  list: 'in lists',
  entries: 'in notes and history',
}
// Both generations of projects share their shortcuts, so they share a heading.
const placeOf = (id: CommandId) =>
  contextsOf(id)
    .filter((context, _, all) => context !== 'campaign' || !all.includes('project'))
    .map((context) => PLACES[context] ?? `on ${wordOf(context, true)}`)
    .join(', ')

/** Finds, changes and resets the shortcut of every command (workspace.md, Keys). */
export function Keys() {
  const own = currentKeys(useAtomValue(preferencesAtom).keys)
  const [text, setText] = useState('')
  const [all, setAll] = useState(false)
  const [changing, setChanging] = useState<CommandId | null>(null)
  const table = useRef<HTMLTableElement>(null)
  const box = useRef<HTMLInputElement>(null)
  const wanted = useDeferredValue(text.trim().toLowerCase())
  const map = effective(own)
  const { role } = currentMe()
  const rows = useMemo(() => {
    const bound = new Map(allBindings(map).map(({ id, keys }) => [id, keys]))
    const words = wanted.split(/\s+/).filter(Boolean)
    return commandIds()
      .filter((id) => mayRun(id, commandOf(id), role))
      .map((id) => {
        const title = commandOf(id).title.replace(/…$/, '')
        return { id, title, keys: bound.get(id) ?? [], own: own[id] !== undefined, place: placeOf(id) }
      })
      .filter((row) =>
        words.length
          ? words.every((word) => `${row.title} ${row.place} ${row.keys.join(' ')} ${row.id}`.toLowerCase().includes(word))
          : row.keys.length > 0 || row.own,
      )
      .sort((a, b) => Number(b.own) - Number(a.own))
  }, [wanted, map, own, role])
  const shown = all || wanted ? rows : rows.slice(0, FEW)

  return (
    <SettingsSection
      title="Keys"
      about={
        <>
          Give any command other keys, or none. <Kbd keys="F1" /> and <Kbd keys={isMac ? '⌘K' : 'Ctrl+K'} /> always open the
          palette.
        </>
      }
      action={<SingleKeys />}
    >
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <SearchInput
          ref={box}
          value={text}
          onChange={setText}
          onEnter={() => table.current?.querySelector<HTMLElement>('tbody button:last-child')?.focus()}
          label="Search commands"
          placeholder={`Search ${commandIds().length} commands`}
          className="w-full max-w-80"
        />
        {Object.keys(own).length > 0 && (
          <Button
            data-view=""
            variant="ghost"
            onClick={() => {
              // The button disappears with the shortcuts it resets, so the focus moves first.
              box.current?.focus()
              setPreferences({ keys: {} }).catch((error: Error) => workspace.notice(error.message, 'bad'))
            }}
          >
            Reset all keys
          </Button>
        )}
      </div>
      <table ref={table} className="w-full" data-field="keys">
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
                {row.keys.length ? (
                  <span className="flex gap-1">
                    {row.keys.map((keys) => (
                      <Kbd key={keys} keys={shownAs(keys, isMac)} />
                    ))}
                  </span>
                ) : (
                  <span className="text-meta text-faint">none</span>
                )}
              </td>
              <td className="w-px text-right whitespace-nowrap">
                {row.own && (
                  <Button
                    variant="ghost"
                    className="h-6!"
                    aria-label={`Reset the keys of ${row.title}`}
                    onClick={() => {
                      box.current?.focus()
                      saveKeys(row.id, null)
                    }}
                  >
                    Reset
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
      {rows.length === 0 && <p className="py-3 text-muted">No results for “{text.trim()}”.</p>}
      {shown.length < rows.length && (
        <Button data-view="" variant="ghost" className="mt-2" aria-expanded={all} onClick={() => setAll(true)}>
          Show all {rows.length}
        </Button>
      )}
      {changing && <KeyDialog id={changing} onClose={() => setChanging(null)} />}
    </SettingsSection>
  )
}
