import { field, type ValuesOf } from './fieldKinds.ts'
import { MESSAGES } from './messages.ts'

const address = (label: string, more: { readonly required?: string; readonly hint?: string; readonly about?: string } = {}) =>
  field.url(label, { ...more, max: 5000, wrong: `${label} must be a web address (https://…)`, placeholder: 'https://' })
const words = <const C extends string>(label: string, column: C, about: string) =>
  field.text(label, { column, about, required: MESSAGES.landingRequired, max: 5000, lines: 3 })
const OPTIONAL = { hint: 'Optional, where the channel sends people.' }

/** The fields of a project's landing page, by channel (projects-area 5). */
export const landingFields = {
  survey_url: address('Survey URL', { required: MESSAGES.landingRequired }),
  facebook_q1_text: words('Facebook question', 'facebook_question', 'The first question on Facebook.'),
  fulcrum_q1_text: words('Fulcrum question', 'fulcrum_question', 'The first question on Fulcrum.'),
  facebook_disqualify_text: words(
    'Facebook disqualify text',
    'facebook_disqualify_text',
    'The text for people who don’t qualify, on Facebook.',
  ),
  fulcrum_disqualify_text: words(
    'Fulcrum disqualify text',
    'fulcrum_disqualify_text',
    'The text for people who don’t qualify, on Fulcrum.',
  ),
  facebook_landing_url: address('Facebook landing URL', { ...OPTIONAL, about: 'Where respondents from Facebook land.' }),
  fulcrum_landing_url: address('Fulcrum landing URL', { ...OPTIONAL, about: 'Where respondents from Fulcrum land.' }),
}
export type LandingValues = ValuesOf<typeof landingFields>

/** A landing page's texts as a form has them; calls have a question's in an object. */
export const landingValues = (page: Readonly<Record<keyof LandingValues, string | { readonly question: string }>>) =>
  Object.fromEntries(
    Object.keys(landingFields).map((name) => {
      const value = page[name as keyof LandingValues]
      return [name, typeof value === 'string' ? value : value.question]
    }),
  ) as LandingValues
