import { z } from 'zod'
import { AGES, CHILDREN, ETHNICITIES, GENDERS, INCOMES, MARITAL, OUTCOMES, type Term } from './vocabulary.ts'

/** A field of a respondent as importers send it: its meaning, and its codes if any. */
export interface RespondentField {
  about: string
  /** The JSON Schema type. */
  type: 'string' | 'number' | 'integer' | 'boolean' | 'object'
  required?: true
  codes?: readonly Term[]
  example?: unknown
}

/** TABLE  the fields of a respondent (decisions.md 10). Intake, the API page and reads by a key are derived from it. */
export const RESPONDENT_FIELDS = {
  respondent_id: {
    type: 'string',
    required: true,
    about:
      'Your own id of the respondent, unique in the survey; 100 characters at most, none of them a slash or invisible, and not `.` or `..`.',
  },
  outcome: { type: 'string', required: true, about: 'How it ended.', codes: OUTCOMES },
  at: { type: 'string', about: 'When, as ISO 8601; UTC without a zone. Defaults to now.' },
  started_at: { type: 'string', about: 'When it began, as ISO 8601. Unknown if missing.' },
  age: { type: 'integer', about: 'Code of the age.', codes: AGES },
  gender: { type: 'string', about: 'Gender.', codes: GENDERS },
  hhi: { type: 'integer', about: "Code of the household's yearly income; 0 is a value.", codes: INCOMES },
  ethnicity: { type: 'string', about: 'Ethnicity.', codes: ETHNICITIES },
  marital_status: { type: 'string', about: 'Marital status.', codes: MARITAL },
  children: { type: 'integer', about: 'Code of the children in the household; 0 is a value.', codes: CHILDREN },
  latitude: { type: 'number', about: 'Degrees, -90 to 90; together with longitude.' },
  longitude: { type: 'number', about: 'Degrees, -180 to 180; together with latitude.' },
  dma: { type: 'integer', about: 'Code of the market area.' },
  dwell: { type: 'number', about: 'Minutes at the place.', example: 12 },
  notice: { type: 'boolean', about: 'Noticed it: yes or no.' },
  answers: {
    type: 'object',
    about:
      'Answers by question id: a text, or a list of texts where several may be chosen; 200 characters each, 10,000 for an open question.',
  },
  rid: {
    type: 'string',
    about: 'The id that its admission had, where the survey has quotas; 40 characters at most.',
    example: '01JDVX0000F1E1DW0RK0000001',
  },
  partner_id: { type: 'integer', about: 'The partner who sent it.' },
  email_hash: {
    type: 'string',
    about: 'A hash of the address (SHA-256 in hex of the address in lower case), never the address.',
    example: '973dfe463ec85785f5f95af5ba3906eedb2d931c24e69824a89ea65dba4e813b',
  },
  ip: { type: 'string', about: 'IP address.' },
  fraud: { type: 'boolean', about: 'True if you suspect fraud; the respondent counts until somebody decides.' },
} as const satisfies Record<string, RespondentField>

/** Other accepted spellings. */
export const RESPONDENT_SPELLINGS = { id: 'respondent_id', time: 'at', dwell_minutes: 'dwell' } as const

const schemaOf = ({ type, about, codes = [], example }: RespondentField) => ({
  type,
  ...(example === undefined ? {} : { example }),
  description: codes.length ? `${about} ${codesOf(codes)}` : about,
  ...(codes.length ? { enum: codes.map((code) => code.value) } : {}),
})
const codesOf = (codes: readonly Term[]): string =>
  `${codes.map(({ value, label }) => (String(value) === label.toLowerCase() ? value : `${value} is ${label}`)).join(', ')}.`

const entries = Object.entries(RESPONDENT_FIELDS) as [string, RespondentField][]

/** The schema of a batch's row. Rows are checked one by one at intake, so that a bad row doesn't refuse the others. */
export const RespondentRow = z.unknown().meta({
  type: 'object',
  properties: Object.fromEntries(entries.map(([name, field]) => [name, schemaOf(field)])),
  required: entries.filter(([, field]) => field.required).map(([name]) => name),
})

/** The same fields as the input of a call for one respondent. */
export const respondentShape = Object.fromEntries(
  [...entries, ...Object.keys(RESPONDENT_SPELLINGS).map((name) => [name, null] as const)].map(([name, field]) => [
    name,
    z
      .unknown()
      .optional()
      .meta(field ? schemaOf(field) : {}),
  ]),
) as Record<keyof typeof RESPONDENT_FIELDS | keyof typeof RESPONDENT_SPELLINGS, z.ZodOptional<z.ZodUnknown>>
