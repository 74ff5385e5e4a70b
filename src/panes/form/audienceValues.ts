/** Whom an activity is aimed at and where, as the forms of a project have it. */
export interface AudienceValues {
  age: number[]
  gender: string[]
  hhi: number[]
  ethnicity: string[]
  marital_status: string[]
  children: number[]
  /** "yes", "no", or empty while it isn't chosen. */
  location_based: string
  targeted_locations: string[]
}

/** The fields of the Audience section, in its order. */
export const AUDIENCE = ['age', 'gender', 'hhi', 'ethnicity', 'marital_status', 'children'] as const
/** The fields of the Market section. */
export const MARKET = ['location_based', 'targeted_locations'] as const

/** Nothing chosen: everybody, everywhere. */
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

/** The values of a comma list. */
const listOf = (list: string | undefined): string[] => (list ?? '').split(',').filter(Boolean)
const numbersOf = (list: string | undefined): number[] => listOf(list).map(Number)

/** A target's values, each a comma list on the wire; without one, nothing is chosen. */
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
