/** An activity's audience and market, as the project forms hold them. */
export interface AudienceValues {
  age: number[]
  gender: string[]
  hhi: number[]
  ethnicity: string[]
  marital_status: string[]
  children: number[]
  /** "yes", "no", or empty until chosen. */
  location_based: string
  targeted_locations: string[]
}

/** Fields of the Audience section, in order. */
export const AUDIENCE = ['age', 'gender', 'hhi', 'ethnicity', 'marital_status', 'children'] as const
/** Fields of the Market section. */
export const MARKET = ['location_based', 'targeted_locations'] as const

/** Nothing selected: everybody, everywhere. */
export const noAudience = (): AudienceValues => ({
  age: [],
  gender: [],
  hhi: [],
  ethnicity: [],
  marital_status: [],
  children: [],
  location_based: '',
  targeted_locations: [],
})

/** Splits a comma-separated list. */
const listOf = (list: string | undefined): string[] => (list ?? '').split(',').filter(Boolean)
const numbersOf = (list: string | undefined): number[] => listOf(list).map(Number)

/** Converts a target's comma-separated fields to form values; without a target, nothing is selected. */
export const audienceOf = (target: Readonly<Record<keyof AudienceValues, string>> | null | undefined): AudienceValues => ({
  age: numbersOf(target?.age),
  gender: listOf(target?.gender),
  hhi: numbersOf(target?.hhi),
  ethnicity: listOf(target?.ethnicity),
  marital_status: listOf(target?.marital_status),
  children: numbersOf(target?.children),
  location_based: target?.location_based ?? '',
  targeted_locations: listOf(target?.targeted_locations),
})
