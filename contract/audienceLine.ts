import { count } from './format.ts'
import { AGES, agesOf, ETHNICITIES, GENDERS, INCOMES, labelOf, MARITAL, type Term } from './vocabulary.ts'

/** A target's comma-separated lists of ids; an empty list means any. */
export interface AudienceLists {
  location_based: string
  targeted_locations: string
  age: string
  gender: string
  hhi: string
  ethnicity: string
  marital_status: string
  children: string
}

const listOf = (text: string): string[] => text.split(',').filter(Boolean)
/** The lowest and highest age of each age id; null for no upper bound. */
const YEARS: readonly (readonly [from: number, to: number | null])[] = [
  [13, 17],
  [18, 24],
  [25, 34],
  [35, 44],
  [45, 54],
  [55, 64],
  [65, null],
]

/** Formats ages: "18–44", "18–24, 45+", "all ages"; the last one alone as a generation of projects labels it. */
export function agesInWords(list: string, generation = 'project'): string {
  const ids = listOf(list)
    .map(Number)
    .filter((id) => id >= 1 && id <= AGES.length)
    .sort((a, b) => a - b)
  if (!ids.length || ids.length === AGES.length) return 'all ages'
  const runs: [number, number][] = []
  for (const id of ids) {
    const last = runs.at(-1)
    if (last && last[1] === id - 1) last[1] = id
    else runs.push([id, id])
  }
  return runs
    .map(([first, last]) => {
      const [from] = YEARS[first - 1]!
      const to = YEARS[last - 1]![1]
      if (first === AGES.length) return labelOf(agesOf(generation), first)
      return to === null ? `${from}+` : `${from}–${to}`
    })
    .join(', ')
}

/** Returns the chosen labels of a group, or a count if there are more than two; null for any. */
function chosen(terms: readonly Term[], list: string, many: string): string | null {
  const values = listOf(list)
  if (!values.length || values.length === terms.length) return null
  return values.length <= 2 ? values.map((value) => labelOf(terms, value)).join(', ') : `${values.length} ${many}`
}

/** Formats markets: "Top 25", "14 market areas", "by location groups"; null for none. `preset` names a known set. */
export function marketsInWords(
  { location_based, targeted_locations }: Pick<AudienceLists, 'location_based' | 'targeted_locations'>,
  preset: (codes: readonly string[]) => string | null,
): string | null {
  if (location_based === 'yes') return 'by location groups'
  const codes = listOf(targeted_locations)
  if (!codes.length) return null
  return preset(codes) ?? (codes.length === 1 ? 'one market area' : `${count(codes.length)} market areas`)
}

/** Formats a target in one line: "18–44, all genders, Top 25"; "Any" without a target or restriction. */
export function audienceLine(
  target: AudienceLists | null,
  preset: (codes: readonly string[]) => string | null,
  generation?: string,
): string {
  if (!target) return 'Any'
  const ages = agesInWords(target.age, generation)
  const gender = chosen(GENDERS, target.gender, 'genders')
  const more = [
    chosen(INCOMES, target.hhi, 'incomes'),
    chosen(ETHNICITIES, target.ethnicity, 'ethnicities'),
    chosen(MARITAL, target.marital_status, 'marital statuses'),
    listOf(target.children).length ? 'by children' : null,
    marketsInWords(target, preset),
  ].filter((part) => part !== null)
  if (ages === 'all ages' && !gender && !more.length) return 'Any'
  return [ages, gender ?? 'all genders', ...more].join(', ')
}
