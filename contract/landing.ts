import { z } from 'zod'
import { Allowed, call, Id, Lock, one } from './call.ts'
import { MESSAGES } from './messages.ts'

/** Required fields of a landing page (projects-area 5). */
export const LANDING_REQUIRED = [
  'survey_url',
  'facebook_q1_text',
  'fulcrum_q1_text',
  'facebook_disqualify_text',
  'fulcrum_disqualify_text',
] as const
/** Fields that hold a URL. */
export const LANDING_LINKS = ['survey_url', 'facebook_landing_url', 'fulcrum_landing_url'] as const
const WRONG_LINK = 'must be a web address (https://…)'

const MOST = 5000
const Text = z.string().trim().max(MOST, `takes ${MOST} characters at most`)
const Question = z
  .union([z.string(), z.object({ question: z.string().nullish() })])
  .transform((input) => ({ question: (typeof input === 'string' ? input : (input?.question ?? '')).trim() }))
  .refine(({ question }) => question.length <= MOST, `takes ${MOST} characters at most`)

/** True for an http or https URL. */
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
/** Returns the text of a field; a question field holds it in `question`. */
export const landingText = (texts: LandingTexts, field: keyof LandingTexts): string => {
  const value = texts[field]
  return typeof value === 'string' ? value : value.question
}

/** Returns what is wrong with a landing page by field; used by server and browser. */
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

/** The landing page form: all texts, with an error for each wrong field. */
export const LandingInput = z.object(fields).superRefine((texts, context) => {
  for (const [field, message] of Object.entries(landingFaults(texts)))
    context.addIssue({ code: 'custom', path: [field], message })
})

const WithQuestion = z.object({ question: z.string() })
const Landing = z.object({
  cid: z.number(),
  project_id: z.number(),
  project_name: z.string(),
  survey_url: z.string(),
  facebook_q1_text: WithQuestion,
  fulcrum_q1_text: WithQuestion,
  facebook_disqualify_text: z.string(),
  fulcrum_disqualify_text: z.string(),
  facebook_landing_url: z.string(),
  fulcrum_landing_url: z.string(),
  /** The survey URL of the project itself. */
  project_survey_url: z.string(),
  /** True while the project is active or paused, when people arrive here. */
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
    about: 'Returns the landing page of a project (cid is its ID); its texts are blank before the first save.',
    input: z.object({ cid: Id }),
    output: one(Landing),
  }),
  'landing.save': call({
    method: 'POST',
    path: '/v3/portal/landing_page/options',
    about: 'Saves the landing page of a project (cid is its ID); missing texts stay unchanged.',
    reads: { call: 'landing.get', by: { cid: 'cid' } },
    aliases: {
      'facebook_q1_text.question': 'facebook_q1_text',
      'fulcrum_q1_text.question': 'fulcrum_q1_text',
    },
    undo: true,
    input: z.object({ cid: Id, ...z.object(fields).partial().shape, lock_version: Lock }),
    output: one(Landing).extend({ message: z.string() }),
    refreshes: ['history', 'audience'],
  }),
} as const
