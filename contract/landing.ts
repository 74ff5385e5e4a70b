import { z } from 'zod'
import { Allowed, call, Id, Lock, one } from './call.ts'
import { MESSAGES } from './messages.ts'

/** Fields of a landing page that have to be filled in (projects-area 5). */
export const LANDING_REQUIRED = [
  'survey_url',
  'facebook_q1_text',
  'fulcrum_q1_text',
  'facebook_disqualify_text',
  'fulcrum_disqualify_text',
] as const
/** Fields that take a web address. */
export const LANDING_LINKS = ['survey_url', 'facebook_landing_url', 'fulcrum_landing_url'] as const
const WRONG_LINK = 'must be a web address (https://…)'

const MOST = 5000
const Text = z.string().trim().max(MOST, `takes ${MOST} characters at most`)
const Question = z
  .union([z.string(), z.object({ question: z.string().nullish() })])
  .transform((given) => ({ question: (typeof given === 'string' ? given : (given?.question ?? '')).trim() }))
  .refine(({ question }) => question.length <= MOST, `takes ${MOST} characters at most`)

/** True for an http or https address. */
export function isLink(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol)
}

const fields = {
  survey_url: Text,
  facebook_q1_text: Question,
  fulcrum_q1_text: Question,
  facebook_disqualify_text: Text,
  fulcrum_disqualify_text: Text,
  facebook_landing_url: Text,
  fulcrum_landing_url: Text,
}
/** The texts of a landing page. */
export type LandingTexts = z.output<z.ZodObject<typeof fields>>
/** The text of a field as people type it. */
export const landingText = (texts: LandingTexts, field: keyof LandingTexts): string => {
  const value = texts[field]
  return typeof value === 'string' ? value : value.question
}

/** What is wrong with a landing page, by field; the same on both sides. */
export function landingFaults(texts: LandingTexts): Partial<Record<keyof LandingTexts, string>> {
  const faults: Partial<Record<keyof LandingTexts, string>> = {}
  for (const field of LANDING_REQUIRED) if (!landingText(texts, field)) faults[field] = MESSAGES.landingRequired
  for (const field of LANDING_LINKS) {
    const text = landingText(texts, field)
    if (text && !isLink(text)) faults[field] = `${LINK_WORDS[field]} ${WRONG_LINK}`
  }
  return faults
}
const LINK_WORDS = {
  survey_url: 'Survey URL',
  facebook_landing_url: 'Facebook landing URL',
  fulcrum_landing_url: 'Fulcrum landing URL',
}

/** A landing page as a form sends it: every text, with what is wrong by field. */
export const LandingInput = z.object(fields).superRefine((texts, context) => {
  for (const [field, message] of Object.entries(landingFaults(texts)))
    context.addIssue({ code: 'custom', path: [field], message })
})

const asked = z.object({ question: z.string() })
const Landing = z.object({
  cid: z.number(),
  project_id: z.number(),
  project_name: z.string(),
  survey_url: z.string(),
  facebook_q1_text: asked,
  fulcrum_q1_text: asked,
  facebook_disqualify_text: z.string(),
  fulcrum_disqualify_text: z.string(),
  facebook_landing_url: z.string(),
  fulcrum_landing_url: z.string(),
  /** The survey's address in the project itself. */
  project_survey_url: z.string(),
  /** The project is active or paused, so people arrive now. */
  in_field: z.boolean(),
  /** 0 before the first save. */
  lock_version: z.number(),
  ...Allowed,
})
export type Landing = z.output<typeof Landing>

export const landingCalls = {
  'landing.get': call({
    method: 'GET',
    path: '/v3/portal/landing_page/options',
    about: 'The landing page of a project (cid is its id); blank texts before the first save.',
    input: z.object({ cid: Id }),
    output: one(Landing),
  }),
  'landing.save': call({
    method: 'POST',
    path: '/v3/portal/landing_page/options',
    about: 'Saves the landing page of a project (cid is its id); missing texts stay unchanged.',
    reads: { call: 'landing.get', by: { cid: 'cid' } },
    undo: true,
    input: z.object({ cid: Id, ...z.object(fields).partial().shape, lock_version: Lock }),
    output: one(Landing).extend({ message: z.string() }),
    refreshes: ['history', 'audience'],
  }),
} as const
