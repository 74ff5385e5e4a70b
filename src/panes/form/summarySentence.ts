import { readDate } from '../../../contract/dates.ts'
import { count, percent, showDay } from '../../../contract/format.ts'
import { DEMOGRAPHICS, demographicFields } from '../../../contract/targetFields.ts'
import { ADULT_AGES, AGES, GENDERS, labelOf, OLDER_AGES, type Term } from '../../../contract/vocabulary.ts'
import { type Dma, labelOfSet } from '../shared/dma.ts'
import type { Draft } from './requestDraft.ts'

/** A piece of the summary sentence: an answer, a missing answer, or the words between. */
export interface Piece {
  text: string
  is: 'word' | 'answer' | 'missing'
}

const joined = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

const PEOPLE: Readonly<Record<string, string>> = { female: 'women', male: 'men', other: 'people of another gender' }

function whoOf({ gender, age }: Draft): string | null {
  if (!gender.length || !age.length) return null
  const people = gender.length === GENDERS.length ? 'people' : joined(gender.map((one) => PEOPLE[one] ?? one))
  const ages = new Set(age.map(Number))
  if (ages.size === AGES.length) return `${people} aged 13 and over`
  if (ages.size === ADULT_AGES.length && ADULT_AGES.every((one) => ages.has(one))) return `${people} aged 18 and over`
  return `${people} aged ${joined(bands(age))}`
}

/** Joins neighbouring ages: "25 to 44". */
function bands(age: readonly string[]): string[] {
  const sorted = age.map(Number).sort((a, b) => a - b)
  const runs: number[][] = []
  for (const one of sorted) {
    const run = runs.at(-1)
    if (run && run.at(-1) === one - 1) run.push(one)
    else runs.push([one])
  }
  return runs.map((run) => {
    // Only the older form has a summary.
    if (run.length === 1) return labelOf(OLDER_AGES, run[0])
    const [first, last] = [labelOf(AGES, run[0]), labelOf(AGES, run.at(-1))]
    const from = first.split(' to ')[0]!
    return last.endsWith('+') ? `${from} and over` : `${from} to ${last.split(' to ')[1]}`
  })
}

/** Lists audience criteria besides age and gender. */
function narrowedBy(draft: Draft): string[] {
  const groups = DEMOGRAPHICS.slice(2).map((name): [string, readonly Term[], readonly string[]] => {
    const { label, options } = demographicFields[name]
    return [label.toLowerCase(), options, draft[name]]
  })
  return groups
    .filter(([, terms, chosen]) => chosen.length > 0 && chosen.length < terms.length)
    .map(([name, terms, chosen]) => `${name} ${chosen.map((one) => labelOf(terms, one)).join(' or ')}`)
}

const NAMED = 3
function marketsOf(codes: readonly string[], dmas: readonly Dma[]): string | null {
  if (!codes.length) return null
  const set = labelOfSet(dmas, codes)
  if (set) return set === 'All DMAs' ? 'all market areas' : `the ${set.toLowerCase()} market areas`
  const names = codes.map((code) => dmas.find((dma) => String(dma.dma_code) === code)?.dma_name)
  return codes.length <= NAMED && names.every(Boolean) ? joined(names as string[]) : `${count(codes.length)} market areas`
}

function surveyOf({ url, file_ids }: Draft): string | null {
  const files = file_ids.length ? `${count(file_ids.length)} ${file_ids.length === 1 ? 'file' : 'files'}` : ''
  const host = /^https?:\/\/([^/\s]+)/.exec(url.trim())?.[1] ?? ''
  return [host && `the survey at ${host}`, files].filter(Boolean).join(' and ') || null
}

const dayOf = (text: string): string | null => {
  const day = readDate(text)
  return day ? showDay(day, 'day and year') : null
}

/** Sums up a request in a sentence, with gaps where answers are missing. */
export function summaryOf(draft: Draft, { client, dmas }: { client: string | undefined; dmas: readonly Dma[] }): Piece[] {
  const pieces: Piece[] = []
  const push = (text: string) => pieces.push({ text, is: 'word' })
  const put = (answer: string | null | undefined, missing: string) =>
    pieces.push(answer ? { text: answer, is: 'answer' } : { text: missing, is: 'missing' })
  const goal = Number(draft.goal)
  put(client, 'a client')
  push(' asks for ')
  put(goal > 0 ? `${count(goal)} ${goal === 1 ? 'complete' : 'completes'}` : null, 'a number of completes')
  push(' of ')
  put(draft.name.trim() ? `“${draft.name.trim()}”` : null, 'a project')
  push(' from ')
  put(dayOf(draft.start_dt), 'a start date')
  push(' to ')
  put(dayOf(draft.end_dt), 'an end date')
  push(', among ')
  put(whoOf(draft), 'an audience')
  for (const [at, group] of narrowedBy(draft).entries()) {
    push(at ? ', ' : ' with ')
    put(group, '')
  }
  push(' in ')
  put(marketsOf(draft.targeted_locations, dmas), 'a market')
  if (draft.location_based === 'yes') push(', at locations')
  push(', by ')
  put(surveyOf(draft), 'a survey')
  push('.')
  if (draft.loi_minutes) {
    push(' An interview takes ')
    put(`${draft.loi_minutes} minutes`, '')
    push('.')
  }
  const incidence = Number(draft.incidence)
  if (incidence) {
    push(' About ')
    put(percent(incidence), '')
    push(' of those asked qualify.')
  }
  return pieces
}
