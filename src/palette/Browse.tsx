import {
  type KeyboardEvent,
  startTransition,
  useCallback,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import { withStop } from '../../contract/textEnds.ts'
import { subjectsWord } from '../commands/availability.ts'
import type { Subject } from '../commands/subject.ts'
import { commandOf } from '../commands/table.ts'
import { plain } from '../commands/words.ts'
import { store } from '../data/jotaiStore.ts'
import { preferencesAtom } from '../data/preferences.ts'
import { currentMe } from '../data/session.ts'
import type { Where } from '../routing/layout.ts'
import { countUse, usageOf } from '../runner/commandUsage.ts'
import { refuseWithNotice } from '../runner/keys/keyNotices.ts'
import { isMac, shownAs } from '../runner/keys/keyReading.ts'
import { start as startCommand } from '../runner/lazyRunner.ts'
import { doneSoFar } from '../runner/runCommand.ts'
import { nextKey, type PaletteStart, paletteAtom, rebindingAtom } from '../runner/runnerState.ts'
import { asksFor, repeatLast } from '../runner/startCommand.ts'
import { subjectOf } from '../runner/subjectOf.ts'
import { useKeys } from '../runner/useCommands.ts'
import { entitiesOf, pathOfEntity } from '../search/entities.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { bufferKeys } from '../workspace/keys/typeahead.ts'
import { openLink } from '../workspace/navigation.ts'
import { noteName } from '../workspace/paneState.ts'
import { usePrefetch } from '../workspace/preload.ts'
import { About, Announcement } from './Announcement.tsx'
import { IndexStatusLine, useIndexStatus } from './IndexStatus.tsx'
import { openView } from './openView.ts'
import { PaletteInput } from './PaletteInput.tsx'
import {
  type Before,
  beginnings,
  browsing,
  entityRow,
  kindsOf,
  type Row,
  readPrefix,
  type Section,
  sectionsFor,
} from './paletteRows.ts'
import { moveBy, ResultList, rowIdAt } from './ResultList.tsx'
import { Foot } from './rowParts.tsx'
import { SubjectChip } from './SubjectChip.tsx'
import { recentRecords, useFound } from './useFound.ts'
import { useOpenQuestions } from './useOpenQuestions.ts'
import { useTargets } from './useTargets.ts'

/** The palette's list. */
export function Browse({ start, onText, onClose }: { start: PaletteStart; onText: (text: string) => void; onClose: () => void }) {
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null)
  const [text, setText] = useState(start.text ?? '')
  const { at, came } = useTargets(start)
  const [chip, setChip] = useState<readonly Subject[]>(() => chipOf(start.at))
  const [taken, setTaken] = useState(false)
  const [selected, select] = useState('')
  const [moved, setMoved] = useState(0)
  const [all, setAll] = useState(false)
  const listId = useId()
  const aboutId = useId()
  /** Why Enter did nothing, with a number so that it is announced each time. */
  const [refused, setRefused] = useState({ why: '', times: 0 })
  const keysOf = useKeys()
  const { prefix, query } = readPrefix(text)
  const kinds = kindsOf(prefix)
  const { hits, late, searching, size, lacking } = useFound(taken ? '' : query, kinds)
  const loading = searching || lacking?.how === 'coming'
  const questions = useOpenQuestions(at.focused, query !== '')
  const before = useMemo((): Before => {
    const me = currentMe().id
    const acts = taken
      ? { focused: chip[0] ?? null, cursor: null, selected: [] }
      : chip.length
        ? at
        : { focused: null, cursor: null, selected: [] }
    const { single_keys } = store.get(preferencesAtom)
    return {
      workspace,
      at: acts,
      chip,
      keysOf,
      lettersOff: !single_keys,
      usage: (key) => usageOf(me, key),
      last: doneSoFar().at(-1) ?? null,
      questions,
    }
  }, [chip, taken, keysOf, at, questions])
  const sections = useMemo(
    () =>
      !query && (prefix === '@' || prefix === '#')
        ? beginnings(prefix, before, recentRecords(kindsOf(prefix) ?? null, 12).map(entityRow))
        : query || prefix
          ? sectionsFor(text, before, hits, late, size, location.origin, loading)
          : browsing(before, taken ? [] : recentRecords(null, 6).map(entityRow)),
    [text, query, prefix, before, hits, late, size, taken, loading],
  )
  const lacks = useIndexStatus(lacking)
  const rows = useMemo(() => sections.flatMap((section) => section.rows), [sections])
  // A letter updates visible rows at once, the others when typing pauses or the user scrolls to them.
  const drawn = useMemo(() => (all ? sections : inView(sections)), [all, sections])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each letter restarts the search for the rest
  useEffect(() => {
    if (all) return
    const timer = setTimeout(() => startTransition(() => setAll(true)), REST_MS)
    return () => clearTimeout(timer)
  }, [all, text])
  // The selection stays while its row exists, or else moves to the best row. Late results alone don't move it.
  // If that row can't run, Enter does nothing instead of running another.
  const standing = useRef({ text: '', chip, key: '' })
  const previous = standing.current
  const wanted = selected || (previous.text === text && (previous.chip === chip || chip === came) ? previous.key : '')
  const place = Math.max(0, wanted ? rows.findIndex((one) => one.key === wanted) : 0)
  const row = rows[place]
  standing.current = { text, chip, key: row?.key ?? '' }
  usePrefetch(row ? pathOf(row) : null, AHEAD_MS)

  const type = (next: string) => {
    setRefused({ why: '', times: 0 })
    setText(next)
    select('')
    setAll(false)
    onText(next)
  }
  const take = (subject: Subject) => {
    setChip([subject])
    setTaken(true)
    type('')
    field.current?.focus()
    subjectOf(subject.kind, subject.id, subject.name)
      .then((full) => setChip((now) => (now[0]?.id === full.id && now[0].kind === full.kind ? [full] : now)))
      .catch(() => {
        // Without them, the server explains any refusal when the command runs.
      })
  }
  const drop = () => {
    setChip(taken ? chipOf(at) : [])
    setTaken(false)
  }
  // The pane's record has loaded: it becomes the chip, and nothing else changes.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it comes
  useEffect(() => {
    if (came && !taken) setChip(came)
  }, [came])
  useEffect(() => {
    // Back from a command's questions, whose field is gone.
    field.current?.focus()
  }, [])

  const act = (chosen: Row, where: Where, stay = false) => {
    const { act } = chosen
    if (chosen.reason) {
      const why = withStop(`“${chosen.title}” can’t run now: ${chosen.reason}`)
      setRefused(({ times }) => ({ why, times: times + 1 }))
      // Text typed for its questions is no search.
      if (act.type === 'command' && asksFor(commandOf(act.id), act.subjects.length || 1))
        refuseWithNotice(withStop(`“${plain(commandOf(act.id))}” can’t run now: ${chosen.reason}`))
      return
    }
    const open = (path: string) => {
      if (!stay) onClose()
      workspace.open(path, where)
    }
    if (act.type === 'path') return open(act.path)
    if (act.type === 'entity') {
      entitiesOf(currentMe().id).use(`${act.kind}:${act.id}`)
      if (act.kind !== 'view') {
        noteName(act)
        return open(pathOfEntity(act.kind, act.id, act.detail))
      }
      if (!stay) onClose()
      return void openView(act.id, act.name, where)
    }
    if (act.type === 'command') {
      const path = commandOf(act.id).opens?.(act.subjects)
      if (path && where !== 'here') {
        countUse(currentMe().id, `${act.id} ${act.subjects[0]?.kind ?? ''}`)
        return open(path)
      }
      if (act.asksSubject) {
        store.set(paletteAtom, {
          key: nextKey(),
          at,
          pane: start.pane,
          command: { id: act.id, subjects: [], answers: {}, via: 'palette', left: [], settled: [], errors: {}, key: nextKey() },
        })
        return
      }
    }
    onClose()
    if (act.type === 'link') openLink(act.url)
    else if (act.type === 'again') repeatLast()
    else if (act.type === 'command')
      startCommand(act.id, { subjects: act.subjects, via: 'palette', ...(act.answers ? { answers: act.answers } : {}) })
  }

  const onKeyDown = (event: KeyboardEvent) => {
    const to = moveBy(event, place, sections)
    if (to !== null) {
      event.preventDefault()
      setAll(true)
      select(rows[to]?.key ?? '')
      setMoved((old) => old + 1)
      return
    }
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat)) {
      event.preventDefault()
      if (!row || event.repeat) return
      act(row, event.shiftKey ? 'pinned' : 'beside', event.altKey)
    } else if (event.key === 'Enter' && event.target === field.current) {
      event.preventDefault()
      if (row) act(row, 'here')
    } else if (event.key === 'F2' && !event.repeat) {
      event.preventDefault()
      if (row?.act.type !== 'command') return
      // Keys pressed until the recorder has the focus are meant for it.
      bufferKeys()
      store.set(rebindingAtom, row.act.id)
    } else if (event.key === 'Tab') {
      event.preventDefault()
      if (row?.act.type === 'entity') take({ kind: row.act.kind as Subject['kind'], id: row.act.id, name: row.act.name })
    } else if (event.key === 'Backspace' && text === '' && chip.length) {
      event.preventDefault()
      drop()
    } else if (event.key === 'Escape') {
      event.preventDefault()
      event.stopPropagation()
      if (taken) {
        drop()
        type('')
      } else onClose()
    }
  }

  const latest = useRef({ rows, act })
  useLayoutEffect(() => {
    latest.current = { rows, act }
  })
  const onSelect = useCallback((at: number) => select(latest.current.rows[at]?.key ?? ''), [])
  const onChoose = useCallback((at: number) => {
    const chosen = latest.current.rows[at]
    if (chosen) latest.current.act(chosen, 'here')
  }, [])

  const acts = chip.length ? `Acts on ${subjectsWord(chip)}.` : ''
  const nothing = !query
    ? prefix === '@'
      ? 'Type a name.'
      : 'Type a number or a name.'
    : lacking
      ? `No results for “${query}” in the names loaded so far.`
      : `No results for “${query}”. Try fewer letters, or a prefix: > commands, / screens, @ people, # ids.`
  const found = rows.length === 1 ? '1 result' : `${rows.length} results`
  const counted = `${rows.length ? found : nothing}${lacks ? `. ${lacks}` : ''}`
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles the keys of the field and of what is beside it
    <div
      onKeyDown={onKeyDown}
      // Enter waits for a search that has no results yet.
      data-reading={searching && !rows.length ? '' : undefined}
      className="flex min-h-0 flex-col"
    >
      <PaletteInput
        field={field}
        label="Search or run a command"
        value={text}
        onChange={type}
        describedBy={chip.length ? aboutId : undefined}
        list={row ? { id: listId, selected: rowIdAt(listId, place) } : NO_LIST}
        placeholder={chip.length ? 'What do you want to do?' : 'Search or run a command'}
        before={<SubjectChip subjects={chip} onDrop={drop} />}
      />
      {rows.length > 0 && (
        <ResultList
          id={listId}
          text={text}
          sections={drawn}
          selected={place}
          moved={moved}
          onSelect={onSelect}
          onChoose={onChoose}
        />
      )}
      {chip.length > 0 && <About id={aboutId}>{acts}</About>}
      {!rows.length && <p className="border-t border-line px-4 py-6 text-muted">{nothing}</p>}
      {lacks && lacking && <IndexStatusLine words={lacks} lacking={lacking} />}
      <Announcement now={refused.why || (taken ? acts : '')} rested={query || taken ? counted : ''} again={refused.times} />
      <Foot hints={HINTS} />
    </div>
  )
}

/** Returns how many rows of 32 px fit into a list of 70 % of the window's height, plus one. */
const rowsInView = () => Math.ceil((innerHeight * 0.7) / 32) + 1
/** Truncates the sections to the visible rows. */
function inView(sections: readonly Section[]): readonly Section[] {
  let left = rowsInView()
  return sections.flatMap((section) => {
    const rows = section.rows.slice(0, Math.max(0, left))
    left -= section.rows.length
    return rows.length ? [{ ...section, rows }] : []
  })
}

const NO_LIST = { id: undefined, selected: undefined }
/** How long (ms) typing must pause. */
const REST_MS = 100
/** How long (ms) a row must be selected before its record is prefetched. */
const AHEAD_MS = 150

/** Returns the path that a row opens, if it is a record or a screen. */
const pathOf = ({ act }: Row): string | null =>
  act.type === 'path'
    ? act.path
    : act.type === 'entity' && act.kind !== 'view'
      ? pathOfEntity(act.kind, act.id, act.detail)
      : null

const HINTS = [
  ['Enter', 'run'],
  ['Tab', 'what can be done to it'],
  [shownAs('Mod+Enter', isMac), 'beside'],
  ['F2', 'change its keys'],
  ['>', 'commands'],
  ['?', 'help'],
] as const

/** Returns the initial subjects: the selected rows, or else the cursor's row, or else the pane's record. */
const chipOf = ({ selected, cursor, focused, deleted }: PaletteStart['at']): readonly Subject[] => {
  if (selected.length) return selected
  const first = cursor ?? focused ?? deleted
  return first ? [first] : []
}
