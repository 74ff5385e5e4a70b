import { z } from 'zod'
import { Order, Page, Search } from './call.ts'
import { isEmail } from './messages.ts'

/** The input that every list takes; an empty `column` means the list's default order. */
export const listInput = <const C extends readonly [string, ...string[]]>(columns: C, perPage = 10) => ({
  search: Search,
  page: Page,
  per_page: z.coerce.number().int().min(1).max(500).default(perPage),
  column: z.enum(['', ...columns]).default(''),
  order: Order,
})

/** An id and a name, as dropdowns use them. */
export const Named = z.object({ id: z.number(), name: z.string() })

/** A required text of at most `max` characters; `message` quotes the specification. */
export const needed = (message: string, max = 200) =>
  z.string({ error: message }).trim().min(1, message).max(max, `needs at most ${max} characters`)

/** Invisible characters and lone surrogates. */
const UNSEEN = /\p{C}/u

/** An email address in lower case; `blank` and `wrong` are the form's messages. */
export const email = (blank: string, wrong: string) =>
  z
    .string({ error: blank })
    .trim()
    .toLowerCase()
    // An é can be one character or two; both are the same address.
    .normalize()
    .min(1, blank)
    .max(254, wrong)
    .refine((text) => text === '' || (isEmail(text) && !UNSEEN.test(text)), wrong)

/** Keeps only the digits. `blank` is the message for none; `check` returns what is wrong, or null. */
export const phone = (blank: string, check: (digits: string) => string | null) =>
  z.union([z.string().max(40), z.number()], { error: blank }).transform((input, context) => {
    const digits = String(input).replace(/\D/g, '')
    const fault = digits || String(input).trim() ? check(digits) : blank
    if (fault) context.addIssue({ code: 'custom', message: fault })
    return digits
  })
