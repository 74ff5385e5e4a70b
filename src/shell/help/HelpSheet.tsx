// biome-ignore-all lint/a11y/useFocusableInteractive: the field holds the focus, aria-activedescendant names the row
// biome-ignore-all lint/a11y/useKeyWithClickEvents: keys come through the field
// biome-ignore-all lint/a11y/useSemanticElements: a listbox of commands is no select

import { useAtomValue } from 'jotai'
import { type KeyboardEvent, type MouseEvent, useId, useLayoutEffect, useRef, useState } from 'react'
import { withStop } from '../../../contract/textEnds.ts'
import { evaluate, mayRun, resolveTargets } from '../../commands/availability.ts'
import { type CommandId, commandIds, commandOf, isCommandId } from '../../commands/table.ts'
import { plain } from '../../commands/words.ts'
import { store } from '../../data/jotaiStore.ts'
import { preferencesAtom } from '../../data/preferences.ts'
import { find, TIER } from '../../palette/rank.ts'
import { atNow, keymapAtom } from '../../runner/keys/activeContext.ts'
import { isMac, shownAs } from '../../runner/keys/keyReading.ts'
import { start } from '../../runner/lazyRunner.ts'
import { rebindingAtom } from '../../runner/runnerState.ts'
import { cx } from '../../ui/cx.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { ariaKeys, Kbd } from '../../ui/Kbd.tsx'
import { SearchInput } from '../../ui/SearchInput.tsx'
import { workspace } from '../../workspace/currentWorkspace.ts'
import { bufferKeys, flush, keptFor } from '../../workspace/keys/typeahead.ts'
import { contextTitle } from './contexts.ts'
import { sheetOf } from './sheet.ts'

interface Row {
  id: CommandId
  keys: readonly string[]
  /** How well it matches; smaller is better. */
  tier: number
}
interface Section {
  context: string
  title: string
  rows: readonly Row[]
}
const MOST_WITHOUT = 20
const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }

/** Returns the sections that a search finds: keys of the current context first, commands without keys last. */
function useFound(text: string): readonly Section[] {
  const [place] = useState(atNow)
  const whole = sheetOf(useAtomValue(keymapAtom), place)
  const found = (id: CommandId, names: readonly string[]) => {
    const { title, keywords = '' } = commandOf(id)
    return text ? (find(text, { title, names, keywords })?.tier ?? null) : TIER.exact
  }
  const sections = whole.flatMap(({ context, here, rows }) => {
    const shown = rows.flatMap(({ id, keys }) => {
      const tier = isCommandId(id) ? found(id, keys) : null
      return tier === null ? [] : [{ id: id as CommandId, keys, tier }]
    })
    const title = `${contextTitle(context)}${here && context !== 'app' ? ', here' : ''}`
    return shown.length ? [{ context, title, rows: shown }] : []
  })
  const withKeys = new Set(whole.flatMap(({ rows }) => rows.map(({ id }) => id)))
  const without = !text
    ? []
    : commandIds().flatMap((id) => {
        const command = commandOf(id)
        if (command.hidden || withKeys.has(id) || !mayRun(id, command, workspace.me.role)) return []
        const tier = found(id, [])
        return tier === null ? [] : [{ id, keys: [], tier }]
      })
  const rest = without.toSorted((a, b) => a.tier - b.tier).slice(0, MOST_WITHOUT)
  return rest.length ? [...sections, { context: 'none', title: 'No shortcut', rows: rest }] : sections
}

/**
 * The `?` sheet: every shortcut, those of the current context first; searchable, and derived from the tables.
 * Enter runs the selected command where the focus was before, F2 changes its keys.
 */
export function HelpSheet({ onClose }: { onClose: () => void }) {
  const [text, setText] = useState('')
  // Frozen, as in the palette: nothing behind the sheet changes what a command acts on.
  const [at] = useState(() => workspace.subjects())
  const [selected, select] = useState('')
  const [refused, setRefused] = useState('')
  const chosen = useRef<CommandId | null>(null)
  const list = useId()
  const { single_keys } = useAtomValue(preferencesAtom)
  const sections = useFound(text.trim())
  const rows = sections.flatMap(({ context, rows }) => rows.map((row) => ({ ...row, key: `${context} ${row.id}` })))
  // A command whose keys change moves to another section and stays selected.
  const mine = rows.find(({ key }) => key === selected) ?? rows.find(({ id }) => id === selected.split(' ')[1])
  const best = text.trim() ? rows.find(({ tier }) => tier === Math.min(...rows.map((row) => row.tier))) : undefined
  const active = mine ?? best
  const places = new Map(rows.map(({ key }, place) => [key, `${list}-${place}`]))
  const activeId = active && places.get(active.key)

  useLayoutEffect(() => {
    if (activeId) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const run = (id: CommandId) => {
    const command = commandOf(id)
    const { reason } = evaluate(id, command, resolveTargets(command, at), workspace)
    if (reason !== null) return setRefused(withStop(`“${plain(command)}” can’t run now: ${reason}`))
    // Keys typed until the focus is back are meant for the command.
    bufferKeys()
    chosen.current = id
    onClose()
  }
  const change = (id: CommandId) => {
    // Keys pressed until the recorder has the focus are meant for it.
    bufferKeys()
    store.set(rebindingAtom, id)
  }
  const closed = () => {
    const id = chosen.current
    if (!id) return
    const kept = keptFor()
    start(id, { subjects: resolveTargets(commandOf(id), at), via: 'key' })
    if (keptFor() === kept) flush()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const by = MOVES[event.key]
    if (by !== undefined) {
      event.preventDefault()
      const to = active ? rows.indexOf(active) + by : by > 0 ? 0 : rows.length - 1
      const next = rows[Math.max(0, Math.min(rows.length - 1, to))]
      setRefused('')
      if (next) select(next.key)
    } else if (event.key === 'Enter' && event.target instanceof HTMLInputElement) {
      event.preventDefault()
      if (active && !event.repeat) run(active.id)
    } else if (event.key === 'F2') {
      event.preventDefault()
      if (active && !event.repeat) change(active.id)
    }
  }
  const onClick = ({ target }: MouseEvent) => {
    const row = target instanceof Element ? target.closest<HTMLElement>('[data-id]') : null
    const id = row?.dataset.id
    if (!row || !id || !isCommandId(id)) return
    select(`${row.dataset.context} ${id}`)
    if ((target as Element).closest('[data-change]')) change(id)
    else run(id)
  }
  const count = `${rows.length} found`
  return (
    <Dialog open onClose={onClose} onClosed={closed} size="lg" title="Keys and commands" initialFocus="input">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the field inside */}
      <div onKeyDown={onKeyDown}>
        <SearchInput
          value={text}
          onChange={(next) => {
            setText(next)
            select('')
            setRefused('')
          }}
          onClose={onClose}
          list={{ id: list, selected: activeId }}
          label="Search keys and commands"
          placeholder="Search keys and commands"
          className="sticky top-0 z-10 bg-raised pb-2"
        />
        <div
          id={list}
          role="listbox"
          tabIndex={-1}
          aria-label="Keys and commands"
          data-keys-kept=""
          onClick={onClick}
          className={cx('columns-2 gap-8 max-sm:columns-1', !rows.length && 'hidden')}
        >
          {sections.map(({ context, title, rows }) => (
            <div
              key={context}
              role="group"
              aria-labelledby={`${list}-${context}`}
              data-context={context}
              className="mb-4 break-inside-avoid-column"
            >
              <div id={`${list}-${context}`} aria-hidden="true" className="mb-1 text-meta font-medium text-faint">
                {title}
              </div>
              {rows.map(({ id, keys }) => {
                const key = `${context} ${id}`
                return (
                  <div
                    key={id}
                    id={places.get(key)}
                    role="option"
                    aria-selected={key === active?.key}
                    aria-keyshortcuts={ariaKeys(keys.map((one) => shownAs(one, isMac)).join(' '))}
                    data-id={id}
                    data-context={context}
                    className="group/row -mx-2 flex min-h-7 scroll-mt-12 cursor-default items-center justify-between gap-3 rounded-md px-2 hover:bg-hover aria-selected:bg-accent-wash max-sm:min-h-11"
                  >
                    <span className="min-w-0 truncate">{commandOf(id).title}</span>
                    <span
                      data-change=""
                      aria-hidden="true"
                      title="Change its keys"
                      className="flex min-w-11 shrink-0 items-center justify-end gap-1 self-stretch"
                    >
                      {keys.map((one) => (
                        <Kbd key={one} keys={shownAs(one, isMac)} />
                      ))}
                      {!keys.length && <span className="text-meta text-faint">none</span>}
                    </span>
                  </div>
                )
              })}
            </div>
          ))}
        </div>
      </div>
      <p role="status" className={refused ? 'py-1 text-amber-ink' : 'sr-only'}>
        {refused || (!text.trim() ? '' : rows.length ? count : `Nothing is called “${text}”.`)}
      </p>
      {rows.length === 0 && <p className="py-6 text-muted">Nothing is called “{text}”.</p>}
      <p data-keys-kept="" className="py-2 text-meta text-faint">
        <Kbd keys="Enter" /> runs the selected command, <Kbd keys="F2" /> changes its keys. <Kbd keys={isMac ? '⌘K' : 'Ctrl+K'} />{' '}
        and <Kbd keys="F1" /> open the palette everywhere. With a screen reader, single letters need its focus mode.{' '}
        {single_keys
          ? ''
          : 'Single letters and signs are turned off in Account settings, and so are sequences that begin with one.'}{' '}
        Fieldwork {import.meta.env.RELEASE}.
      </p>
    </Dialog>
  )
}
