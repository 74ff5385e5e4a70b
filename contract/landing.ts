import { z } from 'zod'
import { Allowed, call, EffectSentence, Id, Lock, one, Text } from './call.ts'
import { landingFields } from './landingFields.ts'

/** Its handler judges each text by its field, as a blank one may not be changed. */
const LandingText = Text.meta({ maxLength: landingFields.facebook_q1_text.max })
const Question = z
  .union([LandingText, z.object({ question: LandingText.nullish() })], 'must be text')
  .transform((input) => ({ question: typeof input === 'string' ? input : (input?.question ?? '') }))

const fields = {
  survey_url: LandingText,
  facebook_q1_text: Question,
  fulcrum_q1_text: Question,
  facebook_disqualify_text: LandingText,
  fulcrum_disqualify_text: LandingText,
  facebook_landing_url: LandingText,
  fulcrum_landing_url: LandingText,
}
/** The texts of a landing page. */
export type LandingTexts = z.output<z.ZodObject<typeof fields>>
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
    output: one(Landing).extend({ message: EffectSentence }),
    refreshes: ['history', 'audience'],
  }),
} as const
