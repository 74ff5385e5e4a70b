import { count } from '../../contract/format.ts'
import { foundCode, nounOf, wordOf } from '../../contract/nounOf.ts'
import type { SubjectKind } from '../../contract/nouns.ts'
import { actsOn, evaluate, mayRun, resolveTargets, subjectsWord } from '../commands/availability.ts'
import type { Command, RawAnswers } from '../commands/command.ts'
import { optionsOf } from '../commands/commandQuestions.ts'
import { keymap } from '../commands/keymap.ts'
import type { Subject } from '../commands/subject.ts'
import { type CommandId, commandIds, commandOf } from '../commands/table.ts'
import type { WorkspaceApi } from '../commands/workspaceApi.ts'
import { about } from '../routing/about.ts'
import { readPasted } from '../routing/paste.ts'
import type { Invocation } from '../runner/runnerState.ts'
import { type Hit, omissions, toToken } from '../search/entities.ts'
import { byRank, find, type Ranked, TIER, type Tier, wordsTyped } from './rank.ts'
import type { OpenQuestion } from './useOpenQuestions.ts'

/** What a palette row does. */
type Act =
  | { type: 'command'; id: CommandId; subjects: readonly Subject[]; asksSubject?: true; answers?: RawAnswers }
  | { type: 'entity'; kind: string; id: number; name: string; detail: string }
  | { type: 'path'; path: string }
  | { type: 'link'; url: string }
  | { type: 'again' }

export interface Row {
  /** Unique and stable for the same thing, because the selection follows it. */
  key: string
  title: string
  detail: string
  ranges: readonly (readonly [number, number])[]
  /** Matched ranges of the detail. */
  detailRanges?: Row['ranges']
  icon: string | undefined
  keys: string | null
  /** Why it can't run now. */
  reason: string | null
  act: Act
}
export interface Section {
  title: string
  rows: Row[]
}

/** The context, frozen when the palette opened. */
export interface Before {
  workspace: WorkspaceApi
  at: ReturnType<WorkspaceApi['subjects']>
  /** The chip: selected rows, or else the cursor's row, or else the pane's record; empty if removed. */
  chip: readonly Subject[]
  keysOf(id: CommandId): string | null
  /** Single letters are off, so commands that only have keys are offered here. */
  lettersOff?: boolean
  usage(key: string): number
  last: Invocation | null
  /** The questions of the active project. */
  questions: readonly OpenQuestion[]
}

/** The palette's prefixes. */
export type Prefix = '' | '>' | '/' | '@' | '#' | '?'
/** Splits off the prefix: `>pause` searches only commands. A pasted path stays whole. */
export function readPrefix(text: string): { prefix: Prefix; query: string } {
  const sign = text[0] ?? ''
  return '>/@#?'.includes(sign) && sign
    ? { prefix: sign as Prefix, query: text.slice(1).trim() }
    : { prefix: '', query: text.trim() }
}

/** Returns the record kinds that a prefix searches; null for none, undefined for all. */
export const kindsOf = (prefix: Prefix): readonly string[] | null | undefined =>
  prefix === '@' ? ['user', 'partner'] : prefix === '' || prefix === '#' ? undefined : null

const MOST = 50

/** Returns the kinds of record a command acts on. */
export const kindsOfCommand = ({ on }: Command): readonly SubjectKind[] =>
  on === 'nothing' ? [] : typeof on === 'string' ? [on] : on

interface Scored extends Ranked {
  row: Row
  section: string
  keywords: string
}

/** Every command with keys in the keymap. */
const KEYED: ReadonlySet<string> = new Set(Object.values(keymap).flatMap((keys) => Object.values<string>(keys)))

/** Words that may accompany any command of a group: the kinds of record it acts on, "list", "screen". */
function besideOf(command: Command): string {
  if (command.opens) return 'screen list page'
  if (command.group === 'list') return 'list rows table'
  return kindsOfCommand(command)
    .map((kind) => `${wordOf(kind)} ${wordOf(kind, true)}`)
    .join(' ')
}

const ABOUT: Readonly<Record<string, string | undefined>> = about
/** Returns the sentence about the screen that a command opens; empty for other commands. */
function aboutScreen(id: CommandId): string {
  const [kind, screen, tab] = id.split('.')
  return screen && !tab && /^(go|add|show)$/.test(kind!) ? (ABOUT[screen] ?? '') : ''
}

/** A command that the palette may offer, with the records it would act on. */
interface Offered {
  id: CommandId
  command: Command
  subjects: readonly Subject[]
  asksSubject: boolean
  beside: string
}

/** Caches what is read from the commands for each opening of the palette, until the commands of more areas load. */
function perOpening<T>(read: (before: Before) => T): (before: Before) => T {
  const known = new WeakMap<Before, { ids: readonly CommandId[]; value: T }>()
  return (before) => {
    const found = known.get(before)
    if (found?.ids === commandIds()) return found.value
    const value = read(before)
    known.set(before, { ids: commandIds(), value })
    return value
  }
}

/** Returns the commands that the person may see. */
const offeredIn = perOpening((before): readonly Offered[] => {
  const role = before.workspace.me.role
  const dropped = before.chip.length === 0
  return commandIds().flatMap((id): Offered[] => {
    const command = commandOf(id)
    if (command.hidden && !(before.lettersOff && KEYED.has(id) && before.keysOf(id) === null)) return []
    if (!mayRun(id, command, role)) return []
    const subjects = dropped
      ? []
      : actsOn(command, before.chip) && (command.many || before.chip.length === 1)
        ? before.chip
        : resolveTargets(command, before.at)
    const asksSubject = command.on !== 'nothing' && subjects.length === 0
    return [{ id, command, subjects, asksSubject, beside: besideOf(command) }]
  })
})

/** Returns the commands and screens that match a query, or the best ones if it is empty. */
function commandRows(prefix: Prefix, query: string, before: Before): Scored[] {
  if (prefix === '@' || prefix === '#') return []
  const rows = offeredIn(before).flatMap(({ id, command, subjects, asksSubject, beside }): Scored[] => {
    const screen = command.opens !== undefined
    if (prefix === '/' && !screen) return []
    if (prefix === '>' && screen && command.group !== 'add') return []
    // A deleted record is on no list to choose from.
    if (asksSubject && (command.revives || !query || !kindsOfCommand(command).some((kind) => nounOf(kind)?.found))) return []
    const title = command.titleNow?.(before.workspace, subjects) ?? command.title
    const found = find(query, { title, names: [id, ...(command.names ?? [])], keywords: command.keywords ?? '', beside })
    if (!found) return []
    const reason = asksSubject ? null : evaluate(id, command, subjects, before.workspace).reason
    if (reason && !query) return []
    const near = asksSubject ? 3 : subjects.length ? (screen ? 1 : 0) : command.group === 'add' ? 1 : 2
    const detail = asksSubject ? `asks which ${wordOf(kindsOfCommand(command)[0]!)}` : (command.detail ?? aboutScreen(id))
    return [
      {
        // The screen of an unnamed record is hardly meant by its bare title: "survey" means the list.
        tier: asksSubject && screen && found.tier < TIER.word ? TIER.word : found.tier,
        ...(found.rest ? { rest: found.rest } : {}),
        use: before.usage(`${id} ${subjects[0]?.kind ?? ''}`),
        near,
        off: reason !== null,
        section: sectionOf(command, subjects),
        keywords: command.keywords ?? '',
        row: {
          key: `command:${id}`,
          title,
          detail: reason ?? detail,
          ranges: found.ranges,
          icon: command.icon,
          keys: before.keysOf(id),
          reason,
          act: { type: 'command', id, subjects, ...(asksSubject ? { asksSubject } : {}) },
        },
      },
    ]
  })
  return withOwnWord(query, prefix === '' ? withoutTwins(rows) : rows)
}

/** Leaves one row of those that add the same thing: the one that asks in the palette, then the one with keys. */
function withoutTwins(rows: readonly Scored[]): Scored[] {
  const bare = ({ row }: Scored) => row.title.replace(/…$/, '')
  const worth = ({ row }: Scored) => (row.reason ? 0 : 4) + (row.title.endsWith('…') ? 2 : 0) + (row.keys ? 1 : 0)
  const best = new Map<string, Scored>()
  for (const one of rows) {
    if (!/^New /.test(one.row.title)) continue
    const other = best.get(bare(one))
    if (!other || worth(one) > worth(other)) best.set(bare(one), one)
  }
  return rows.filter((one) => (best.get(bare(one)) ?? one) === one)
}

/** A typed word of so many letters that hardly any command has is those commands' own. */
const MOST_OWNERS = 3
/** A word of so many letters that one title alone has is that command's own. */
const LEAST_OWN = 4
/**
 * Puts the command whose own word is typed level with titles that begin with it, so that no record comes before it.
 * A whole keyword of few commands comes before records that are only like it.
 */
function withOwnWord(query: string, rows: readonly Scored[]): Scored[] {
  const [typed = '', ...more] = wordsTyped(query)
  if (typed.length < LEAST_OWN || more.length) return [...rows]
  const own = rows.filter(({ row }) => wordsTyped(row.title).includes(typed))
  const keyed = rows.filter(({ keywords }) => wordsTyped(keywords).includes(typed))
  const raised = new Map<Scored, Tier>([
    ...(keyed.length <= MOST_OWNERS ? keyed.map((one) => [one, TIER.said] as const) : []),
    ...(own.length === 1 ? own.map((one) => [one, TIER.prefix] as const) : []),
  ])
  return rows.map((one) => ({ ...one, tier: Math.min(one.tier, raised.get(one) ?? one.tier) as Tier }))
}

interface Choosable {
  id: CommandId
  command: Command
  ask: string
  value: string
  title: string
  detail: string
}

/** Returns options found by their own names, such as the pane's filters. */
const choosableIn = perOpening((before): readonly Choosable[] => {
  const { role } = before.workspace.me
  return commandIds().flatMap((id): Choosable[] => {
    const command = commandOf(id)
    const [firstAsk] = Object.entries(command.asks ?? {})
    if (firstAsk?.[1].type !== 'option' || !firstAsk[1].named || !mayRun(id, command, role)) return []
    if (evaluate(id, command, [], before.workspace).reason) return []
    const [key, ask] = [firstAsk[0], firstAsk[1]]
    return optionsOf(ask, [], before.workspace).map(({ value, label, detail = '' }) => ({
      ...{ id, command, ask: key, value, detail },
      title: `${ask.named}: ${label}`,
    }))
  })
})

const OPTIONS = 'Here and in settings'
/** Returns options that match a query, such as "filter status" or "field deadline"; they come after commands. */
const optionRows = (prefix: Prefix, query: string, before: Before): Scored[] =>
  !query || (prefix !== '' && prefix !== '>')
    ? []
    : choosableIn(before).flatMap(({ id, command, ask, value, title, detail }): Scored[] => {
        const found = find(query, { title, keywords: detail, beside: 'go to set change by order show hide' }, true)
        if (!found) return []
        const row: Row = {
          ...{ key: `command:${id}:${value}`, title, detail, ranges: found.ranges, icon: command.icon },
          ...{ keys: null, reason: null, act: { type: 'command', id, subjects: [], answers: { [ask]: value } } },
        }
        return [{ tier: found.tier, use: 0, near: 4, section: OPTIONS, keywords: '', row }]
      })

const isTypo = (tier: Tier): boolean => tier === TIER.fuzzy || tier === TIER.slip

/** Finds commands without some of the typed words, by the search's rules: words that say least are dropped first. */
function rowsWithout(prefix: Prefix, query: string, before: Before): Scored[] {
  const words = [...new Set(wordsTyped(query))]
  if (words.length < 2) return []
  const holding = (word: string) => commandRows(prefix, word, before).filter(({ tier }) => !isTypo(tier)).length
  const held = new Map(words.map((word) => [word, holding(word)]))
  const tokens = words.map((word) => toToken(word))
  for (const { without, instead } of omissions(tokens, held)) {
    const left = new Set(without.map(({ text }) => text))
    const rest = [...words.filter((word) => !left.has(word)), ...(instead ? [instead.text] : [])]
    const rows = commandRows(prefix, rest.join(' '), before).filter(({ tier }) => !isTypo(tier))
    if (rows.length)
      return rows.map((one) => ({
        ...one,
        tier: TIER.keyword,
        row: { ...one.row, detail: saidWithout([...left], one.row.detail) },
      }))
  }
  return []
}
const saidWithout = (words: readonly string[], detail: string): string =>
  [words.length ? `without ${words.map((word) => `“${word}”`).join(', ')}` : '', detail].filter(Boolean).join(' · ')

function sectionOf(command: Command, subjects: readonly Subject[]): string {
  if (subjects.length)
    return subjects.length > 1 ? `For these ${wordOf(subjects[0]!.kind, true)}` : `For ${subjectsWord(subjects)}`
  if (command.on !== 'nothing') return 'For another record'
  if (command.group === 'navigation') return 'Go to'
  if (command.group === 'add') return 'Add'
  return 'Workspace'
}

/** Returns the row of a record in the index; if it was found without a typed word, the row says so first. */
export const entityRow = (
  hit: Pick<Hit, 'key' | 'kind' | 'id' | 'name' | 'detail'> & Partial<Pick<Hit, 'ranges' | 'detailRanges' | 'without'>>,
): Row => ({
  key: `entity:${hit.key}`,
  title: hit.name,
  ...detailRow(hit),
  ranges: hit.ranges ?? [],
  icon: nounOf(hit.kind)?.icon,
  keys: null,
  reason: null,
  act: { type: 'entity', kind: hit.kind, id: Number(hit.id), name: hit.name, detail: hit.detail },
})

type Detailed = Pick<Hit, 'kind' | 'id' | 'detail'> & Partial<Pick<Hit, 'detailRanges' | 'without'>>
function detailRow({ kind, id, detail, detailRanges = [], without = [] }: Detailed): Pick<Row, 'detail' | 'detailRanges'> {
  const before = [saidWithout(without, ''), foundCode(kind, id)].filter(Boolean).map((part) => `${part} · `)
  const shift = before.join('').length
  return {
    detail: detail ? before.join('') + detail : before.join('').slice(0, -3),
    detailRanges: detailRanges.map(([from, to]) => [from + shift, to + shift]),
  }
}

/** Returns a row that opens a pasted path or link, or says why it can't; null for other text. */
export function pasted(text: string, origin: string): Row | null {
  const found = readPasted(text, origin)
  if (!found) return null
  const { refused = null } = found
  const url = found.open ?? found.text
  return {
    key: `open:${url}`,
    title: found.open === undefined ? 'Open this link' : `Open ${found.title}`,
    detail: refused ?? url,
    ranges: [],
    icon: 'link',
    keys: null,
    reason: refused,
    act: found.open !== undefined && found.whole ? { type: 'link', url } : { type: 'path', path: url },
  }
}

const MOST_QUESTIONS = 12
/** Returns questions that match a query by code ("q7") or text, best first, without typos. */
const questionRows = (query: string, questions: readonly OpenQuestion[]) =>
  questions
    .flatMap(({ id, code, title, path }) => {
      const named = `${code} ${title}`
      const found = find(query, { title: named, names: [code] })
      if (!found || found.tier > TIER.word) return []
      const row: Row = {
        ...{ key: `question:${id}`, title: named, detail: 'User Responses', ranges: found.ranges },
        ...{ icon: 'list', keys: null, reason: null, act: { type: 'path', path } },
      }
      return [{ tier: found.tier, row }]
    })
    .sort((a, b) => a.tier - b.tier)
    .slice(0, MOST_QUESTIONS)

/** Maps the search's tier to the palette's. */
const tierOf = (hit: Hit): Tier =>
  hit.tier <= 1 ? TIER.exact : hit.tier === 2 ? TIER.prefix : hit.tier <= 5 ? TIER.word : TIER.fuzzy

/** How far used rows move ahead of unused ones of their tier, across sections. */
const USED = 0.25

/** Returns a section's tier. A disabled command yields only to an equal match, so that Enter runs nothing unrelated. */
function bestOf(rows: readonly Scored[]): number {
  const first = rows.find(({ row }) => !row.reason)
  const able = first ? first.tier - (first.use > 0 ? USED : 0) : TIER.keyword
  return rows.some(({ off, tier }) => off && tier <= TIER.word) ? Math.min(able, TIER.fuzzy - 0.5) : able
}

/** How many rows of one title stay together; further ones go below all others. */
const MOST_ALIKE = 3
/** Moves the fourth and further rows of a title to the end; more of them can't be told apart at a glance. */
function spread(rows: readonly Row[]): Row[] {
  const seen = new Map<string, number>()
  const alike = rows.map(({ title }) => {
    const times = (seen.get(title) ?? 0) + 1
    seen.set(title, times)
    return times > MOST_ALIKE
  })
  return [...rows.filter((_, at) => !alike[at]), ...rows.filter((_, at) => alike[at])]
}

const CANNOT = 'Can’t run now'
/** Moves disabled rows below the records, if the best record was opened before. */
function behindUsed(sections: readonly (Section & { best: number; place: number })[], found: number) {
  const off = sections.flatMap(({ rows }) => rows.filter(({ reason }) => reason !== null))
  const able = sections.map((section) => ({ ...section, rows: section.rows.filter(({ reason }) => reason === null) }))
  const last = off.length ? [{ title: CANNOT, rows: off, best: found, place: PLACE_FOUND + 0.1 }] : []
  return [...able.filter(({ rows }) => rows.length), ...last]
}
/** The position of records among sections whose best rows have the same tier. */
const PLACE_FOUND = 2.5

/** Returns all results in sections by their best row, at most 50 rows. Late hits go last, so that nothing moves. */
export function sectionsFor(
  text: string,
  before: Before,
  allHits: readonly Hit[],
  laterHits: readonly Hit[],
  size: number,
  origin: string,
  /** More records may come, so no typed word is dropped yet. */
  searching = false,
): Section[] {
  const { prefix, query } = readPrefix(text)
  const open = pasted(text, origin)
  const whole =
    prefix === '?' ? helpRows(query, before) : [...commandRows(prefix, query, before), ...optionRows(prefix, query, before)]
  const late = laterHits.filter(isWhole)
  const hits = allHits.filter((hit) => isWhole(hit) && !isNews(hit))
  const news = allHits.filter((hit) => isWhole(hit) && isNews(hit))
  const inFull = searching || whole.length > 0 || [...allHits, ...laterHits].some(isWhole)
  const partial = wordsTyped(query).length > 1 || query.length >= LEAST_PARTIAL ? [...allHits, ...laterHits] : []
  const scored = inFull || prefix === '?' ? whole : rowsWithout(prefix, query, before)
  const groups = new Map<string, Scored[]>()
  for (const one of scored.sort(byRank)) {
    const group = groups.get(one.section) ?? []
    group.push(one)
    groups.set(one.section, group)
  }
  let sections: (Section & { best: number; place: number })[] = [...groups].map(([title, rows]) => ({
    title,
    rows: rows
      .slice(0, query ? 12 : title === 'Go to' && prefix !== '/' ? 0 : prefix ? 50 : title.startsWith('For ') ? 8 : 0)
      .map(({ row }) => row),
    // While nothing is typed, the row's own actions come first, however often others are used.
    best: query ? bestOf(rows) : TIER.exact,
    place: title.startsWith('For another')
      ? 4
      : title === OPTIONS
        ? 4.5
        : title === 'Go to' && prefix === '/'
          ? -1
          : title.startsWith('For ')
            ? 0
            : title === 'Go to'
              ? 1
              : title === 'Add'
                ? 2
                : 3,
  }))
  const among = `Found among ${count(size)}`
  if (hits.length) {
    // A used row may come before one that matches better.
    const best = Math.min(...hits.map((hit) => tierOf(hit) - (hit.used ? USED : 0)))
    if (hits[0]!.used && best < TIER.word) sections = behindUsed(sections, best)
    sections.push({ title: among, rows: spread(hits.map(entityRow)), best, place: PLACE_FOUND })
  }
  if (news.length) {
    // An announcement comes before commands only by its whole title.
    const best = Math.min(...news.map(tierOf))
    const behind = scored.some(({ row }) => !row.reason) && best > TIER.exact ? TIER.keyword : best
    sections.push({ title: 'Announcements', rows: news.map(entityRow), best: behind, place: PLACE_NEWS })
  }
  const questionMatches = prefix === '' && query ? questionRows(query, before.questions) : []
  if (questionMatches.length)
    sections.push({ title: 'Questions', rows: questionMatches.map(({ row }) => row), best: questionMatches[0]!.tier, place: 0.5 })
  sections.sort((a, b) => a.best - b.best || a.place - b.place)
  const all: Section[] = [
    ...(open ? [{ title: 'Pasted', rows: [open] }] : []),
    ...sections,
    ...(late.length ? [{ title: hits.length ? 'Also found' : among, rows: late.map(entityRow) }] : []),
    ...withoutWords(
      partial.filter((hit) => !isWhole(hit)),
      inFull,
    ),
  ]
  let left = MOST
  return all.flatMap(({ title, rows }) => {
    const shown = rows.slice(0, left)
    left -= shown.length
    return shown.length ? [{ title, rows: shown }] : []
  })
}

/** Announcements, which are read in the inbox and rarely searched for. */
const isNews = ({ kind }: Hit): boolean => kind === 'notice' || kind === 'notification'
const PLACE_NEWS = 5
const isWhole = ({ without }: Hit): boolean => without.length === 0
/** A single word of fewer letters finds nothing without it. */
const LEAST_PARTIAL = 6
/** How many records without a typed word are offered beside others, and how many alone. */
const [FEW_PARTIAL, MOST_PARTIAL] = [3, 12]
/** Records that lack a typed word: last and few. */
const withoutWords = (hits: readonly Hit[], beside: boolean): Section[] =>
  hits.length
    ? [{ title: 'Without a word', rows: spread(hits.slice(0, beside ? FEW_PARTIAL : MOST_PARTIAL).map(entityRow)) }]
    : []

const BEGINNINGS: Partial<Record<Prefix, readonly string[]>> = {
  '@': ['go.usersInfo', 'go.partners', 'user.invite', 'go.account'],
  '#': ['go.allProjects', 'go.surveyProjects', 'go.clients'],
}

/** Returns suggestions for an empty `@` or `#`: recent records, and their lists. */
export function beginnings(prefix: Prefix, before: Before, recent: readonly Row[]): Section[] {
  const where = commandRows('', '', before).filter(
    ({ row }) => row.act.type === 'command' && BEGINNINGS[prefix]?.includes(row.act.id),
  )
  return [
    { title: 'Recent', rows: [...recent] },
    { title: 'Go to', rows: where.map(({ row }) => row) },
  ].filter(({ rows }) => rows.length)
}

/** Returns suggestions for an empty field: last command, the best for the subject, recent records, frequent screens. */
export function browsing(before: Before, recent: readonly Row[]): Section[] {
  const { last } = before
  const again: Row[] = last
    ? [
        {
          key: 'again',
          title: `Again: ${commandOf(last.id).title.replace(/…$/, '')}`,
          detail: last.subjects.length
            ? subjectsWord(before.chip.length && actsOn(commandOf(last.id), before.chip) ? before.chip : last.subjects)
            : '',
          ranges: [],
          icon: 'repeat',
          keys: before.keysOf('command.again'),
          reason: null,
          act: { type: 'again' },
        },
      ]
    : []
  const rows = commandRows('', '', before).sort(byRank)
  const mine = rows.filter(
    ({ row, section }) => section.startsWith('For ') && row.act.type === 'command' && row.act.subjects.length,
  )
  // What the chip names comes before the record of the screen around it.
  const onChip = ({ row: { act } }: Scored) => act.type === 'command' && act.subjects[0]?.kind === before.chip[0]?.kind
  const chipFirst = [...mine.filter(onChip), ...mine.filter((one) => !onChip(one))]
  const own = chipFirst.filter(({ near }) => near === 0).slice(0, 9)
  const tabs = chipFirst.filter(({ near }) => near === 1).slice(0, 6)
  const going = rows.filter(({ section }) => section === 'Go to')
  const used = going.filter(({ use }) => use > 0)
  const bySection = new Map<string, Row[]>()
  for (const { section, row } of [...own, ...tabs]) bySection.set(section, [...(bySection.get(section) ?? []), row])
  return [
    { title: 'Last', rows: again },
    ...[...bySection].map(([title, rows]) => ({ title, rows })),
    { title: 'Recent', rows: [...recent] },
    {
      title: 'Go to',
      rows: (used.length >= 5 ? used : [...used, ...going.filter(({ use, row }) => !use && row.keys)])
        .slice(0, 6)
        .map(({ row }) => row),
    },
    {
      title: 'Add',
      rows: rows
        .filter(({ section }) => section === 'Add')
        .slice(0, 3)
        .map(({ row }) => row),
    },
    {
      title: 'Workspace',
      rows: rows
        .filter(({ section, use }) => section === 'Workspace' && use > 0)
        .slice(0, 3)
        .map(({ row }) => row),
    },
  ].filter(({ rows }) => rows.length)
}

/** Returns the rows of `?`: the commands available here, those with keys first. */
const helpRows = (query: string, before: Before): Scored[] =>
  commandRows('', query, before).map((one) => ({ ...one, near: one.row.keys ? 0 : 1, section: 'Keys and commands' }))
