import { z } from 'zod'
import { Order, Page, Search } from './call.ts'
import { isEmail } from './messages.ts'

/** What every list takes: search, page, page size, and an order by one of its columns; an empty column is the list's own order. */
export const listInput = <const C extends readonly [string, ...string[]]>(columns: C, perPage = 10) => ({
  search: Search,
  page: Page,
  per_page: z.coerce.number().int().min(1).max(500).default(perPage),
  column: z.enum(['', ...columns]).default(''),
  order: Order,
})

/** An id with a name, as every dropdown has it. */
export const Named = z.object({ id: z.number(), name: z.string() })

/** A text that must be there, at most `max` characters, with the specification's own message. */
export const needed = (message: string, max = 200) =>
  z.string({ error: message }).trim().min(1, message).max(max, `needs at most ${max} characters`)

/** Signs that nobody sees, and halves of one. */
const UNSEEN = /\p{C}/u

/** A mail address in lower case; `blank` and `wrong` are the messages of the form it belongs to. */
export const email = (blank: string, wrong: string) =>
  z
    .string({ error: blank })
    .trim()
    .toLowerCase()
    // One spelling for what looks alike: an é is one sign or two.
    .normalize()
    .min(1, blank)
    .max(254, wrong)
    .refine((text) => text === '' || (isEmail(text) && !UNSEEN.test(text)), wrong)

/** Digits only, out of anything a person types; `blank` for none, and `check` says what is wrong with them. */
export const phone = (blank: string, check: (digits: string) => string | null) =>
  z.union([z.string().max(40), z.number()], { error: blank }).transform((given, context) => {
    const digits = String(given).replace(/\D/g, '')
    const fault = digits || String(given).trim() ? check(digits) : blank
    if (fault) context.addIssue({ code: 'custom', message: fault })
    return digits
  })
