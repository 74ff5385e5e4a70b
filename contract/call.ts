import { z } from 'zod'
import type { Noun } from './nouns.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export interface Call<I extends z.ZodType = z.ZodType, O extends z.ZodType = z.ZodType, M extends Method = Method> {
  method: M
  /** With `{name}` for a path parameter; a trailing slash and `.json` are taken on every path and not written. */
  path: string
  /** One sentence for the API page. */
  about: string
  /** Path, query and body as one object: the spellings of the specification are one call. */
  input: I
  output: O
  /** The nouns whose cached reads a write makes stale besides its own; an open workspace reads them again, here and elsewhere. */
  refreshes?: readonly Noun[]
  /** multipart: files arrive as streams; stream: the answer is not JSON. */
  as?: 'multipart' | 'stream'
  /** Changes state although it is a GET: token headers only, never a cookie (decisions.md 7). */
  unsafe?: true
  /** The body may be wrapped in an object of this name: `user: {…}`. */
  wraps?: string
  /**
   * The read whose answer is the record that this write changes; `by` maps names of its input to names of this one's. What it answers and this
   * write can't change is taken when it is unchanged and refused by name when it differs (decisions.md 13, "Writes"; server/http/writes.ts).
   */
  reads?: string | { call: string; by: Readonly<Record<string, string>> }
  /** Its answer holds what is shown this once (a key, the link of an invitation): it is never kept to be answered again. */
  secret?: true
  /** Its change set is kept for a day for its author to undo; the response names it in the header `X-Undo`. */
  undo?: true
  /** It has no body: whatever is sent as one is not read. */
  bodiless?: true
  /** A body sent as NDJSON reaches the handler as a stream, `ctx.lines`; JSON may be 1 MB then (server/http/bodies.ts). */
  lines?: true
  /** Per minute and address, where decisions.md 7 asks for one. */
  limit?: number
}

/** One row of the calls table, checked in its shape and kept precise in its types. */
export const call = <const M extends Method, I extends z.ZodType, O extends z.ZodType>(row: Call<I, O, M>): Call<I, O, M> => row

/** A positive record id; takes the text of a path or query as well as a number. */
export const Id = z.coerce.number().int().positive().max(2_147_483_647)

/** A page number from 1. */
export const Page = z.coerce.number().int().min(1).max(1_000_000).default(1)

/** A text search, trimmed; empty means none. */
export const Search = z.string().trim().max(200).default('')

/** A civil date, YYYY-MM-DD; MM/DD/YYYY is taken too. */
export const CivilDate = z
  .string()
  .trim()
  .transform((text) => text.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2').slice(0, 10))
  .refine(
    (text) =>
      /^\d{4}-\d\d-\d\d$/.test(text) &&
      !Number.isNaN(Date.parse(`${text}T00:00:00Z`)) &&
      new Date(`${text}T00:00:00Z`).toISOString().startsWith(text),
    'is not a date (YYYY-MM-DD)',
  )

/** true, false, 1, 0, yes, no in any case. */
export const Flag = z
  .union([z.boolean(), z.number(), z.string()])
  .transform((value) => value === true || value === 1 || /^(1|true|yes)$/i.test(String(value)))

/** One value, a list, or a comma-separated list: always becomes a list of texts. */
export const Many = z
  .union([z.string(), z.number(), z.array(z.union([z.string(), z.number()]))])
  .transform((value) =>
    (Array.isArray(value) ? value : String(value).split(',')).map((one) => String(one).trim()).filter(Boolean),
  )

/** The optimistic lock: send the version you saw and a stale write answers 409 with both versions (decisions.md 9). */
export const Lock = z.coerce.number().int().min(0).optional()

/** The v3 envelope of a list. */
export const listOf = <T extends z.ZodType>(row: T) => z.object({ data: z.array(row), count: z.number(), page: z.number() })

/** The v3 envelope of one record. */
export const one = <T extends z.ZodType>(row: T) => z.object({ data: row })

/** Any JSON answer whose shape the specification leaves open. */
export const Done = z.object({ message: z.string() })

/** An order for a list. */
export const Order = z.enum(['asc', 'desc']).default('asc')

/** What a caller may do with a record now, and why not the rest; the keys are ids of calls and commands (decisions.md 2). */
export const Allowed = {
  allowed_actions: z.array(z.string()),
  refused_actions: z.record(z.string(), z.string()),
}
