import { z } from 'zod'
import { Id, Many } from './call.ts'
import { AGES, acceptedWords, CHILDREN, ETHNICITIES, GENDERS, INCOMES, MARITAL, type Term, valueOfWord } from './vocabulary.ts'

/** A list of values without repeats. */
const Once = Many.transform((values) => [...new Set(values)])
/** More than the 210 market areas that exist. */
const MOST_MARKETS = 1000

/** A comma between the digits of an income, which separates no values. */
const THOUSANDS = /(\$\d{1,3}),(?=\d{3}(?!\d))/g
const whole = (sent: unknown) => (typeof sent === 'string' ? sent.replace(THOUSANDS, '$1') : sent)
/** A comma list's words. */
export const splitWords = (list: string): string[] => list.replace(THOUSANDS, '$1').split(',')

/**
 * A list of ids of a vocabulary, also in the specifications' words: Female, 18-24, African American.
 * Drops −1 ('18+', 'All'), which only the interface uses (decisions.md 9).
 */
const oneOf = (terms: readonly Term[], what: string) =>
  z.preprocess(
    whole,
    Many.transform((words, context) => {
      const values = new Set<string>()
      for (const word of words) {
        if (word === '-1' || word.toLowerCase() === 'all') continue
        const value = valueOfWord(terms, word)
        if (value !== undefined) values.add(value)
        else
          context.addIssue({
            code: 'custom',
            message: `has a value that is not ${what}: ${word.slice(0, 40)}. Accepted: ${acceptedWords(terms)}`,
          })
      }
      return [...values]
    }),
  )

/** A list of market area codes. */
export const Markets = Once.refine((values) => values.length <= MOST_MARKETS, 'has too many values')

/** The audience of a target, one list for each demographic; an empty list means any. */
export const Demographics = {
  age: oneOf(AGES, 'an age'),
  gender: oneOf(GENDERS, 'a gender'),
  hhi: oneOf(INCOMES, 'an income band'),
  ethnicity: oneOf(ETHNICITIES, 'an ethnicity'),
  marital_status: oneOf(MARITAL, 'a marital status'),
  children: oneOf(CHILDREN, 'a number of children'),
}

/** A list that needs a value, with the same message for none and for nothing sent. */
export const chosen = (list: z.ZodType<string[]>, message: string) =>
  z.preprocess((sent) => sent ?? [], list).refine((values) => values.length > 0, message)

/** Markets as the older forms send them: a comma list or list of codes, or the records of the older lists. */
const OlderMarkets = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number(), z.object({ id: Id })])).max(MOST_MARKETS)])
  .transform((markets) => (Array.isArray(markets) ? markets.map((one) => (typeof one === 'object' ? one.id : one)) : markets))
  .pipe(Markets)

/**
 * An audience in the older spelling: each field under the name campaigns use and the name the older forms use.
 * Leaves out `children`, which names the child projects of a campaign.
 */
export const OlderAudience = z
  .object({
    age_range: Demographics.age,
    gender: Demographics.gender,
    hhi_range: Demographics.hhi,
    hhi: Demographics.hhi,
    ethnicity_range: Demographics.ethnicity,
    ethnicity: Demographics.ethnicity,
    marital_status_range: Demographics.marital_status,
    marital_status: Demographics.marital_status,
    marital: Demographics.marital_status,
    presence_of_children_range: Demographics.children,
    targeted_location: OlderMarkets,
    location_based_ind: z
      .string()
      .trim()
      .toLowerCase()
      .pipe(z.enum(['yes', 'no'], { message: 'must be yes or no' })),
  })
  .partial()
export type OlderAudience = z.output<typeof OlderAudience>
