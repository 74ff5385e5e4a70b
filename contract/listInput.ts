import { z } from 'zod'
import { Order, Page, Search, wholeNumber } from './call.ts'
import { readMoment } from './moments.ts'

/** The most records that a page of any list has. */
const PAGE_MOST = 500

/** A moment: a date (midnight UTC), or a date and time with their offset; becomes ISO text in UTC. */
export const Moment = z
  .string()
  .trim()
  .max(40)
  .transform((text, context) => {
    // A plus sign that wasn't encoded in the query arrives as a space.
    const at = text.replace(/ (\d\d:\d\d)$/, '+$1')
    const moment = readMoment(at, { day: true })
    if (moment === null) {
      context.addIssue({ code: 'custom', message: 'is not a moment (2026-11-27T07:00:00Z)' })
      return z.NEVER
    }
    return new Date(moment).toISOString()
  })
/** A page by number, for what isn't a list of records: figures, columns, users within teams. */
export const numbered = (perPage = 10, most = PAGE_MOST) => ({
  page: Page,
  per_page: wholeNumber(z.number().int().min(1).max(most).default(perPage)),
})
/** The page of every list: by number, or by a cursor from a page's `Link`; and only what changed since a moment. */
export const paged = (perPage = 10) => ({
  ...numbered(perPage),
  cursor: z.string().trim().max(6000).optional().meta({
    description:
      'Continues behind the last record of a page: from the `Link` to `next` of its response, with the same filters and order.',
  }),
  updated_since: Moment.optional(),
})
/** What one page is of; a filter of all matches goes without. */
export type Paging = 'page' | 'per_page' | 'cursor'

/** The input that every list takes; an empty `column` means the list's default order. */
export const listInput = <const C extends readonly [string, ...string[]]>(columns: C, perPage = 10) => ({
  search: Search,
  ...paged(perPage),
  column: z.enum(['', ...columns]).default(''),
  order: Order,
})

/** An id and a name, as dropdowns use them. */
export const Named = z.object({ id: z.number(), name: z.string() })
