import { atom } from 'jotai'
import type { Output } from '../../../../contract/calls.ts'
import { MESSAGES } from '../../../../contract/messages.ts'
import type { Channel } from '../../../commands/landingController.ts'
import { store } from '../../../data/jotaiStore.ts'
import type { FormRules } from '../../shared/form/formRules.ts'

/** The landing page form's values. */
export interface LandingValues {
  survey_url: string
  facebook_question: string
  facebook_disqualify_text: string
  facebook_landing_url: string
  fulcrum_question: string
  fulcrum_disqualify_text: string
  fulcrum_landing_url: string
}
export type LandingRecord = Output<'landing.get'>['data']

export const CHANNELS = ['facebook', 'fulcrum'] as const
export const CHANNEL_WORDS = { facebook: 'Facebook', fulcrum: 'Fulcrum' } as const satisfies Record<Channel, string>

/** Labels in form order. */
export const LANDING_LABELS = {
  survey_url: 'Survey URL',
  facebook_question: 'Facebook question',
  facebook_disqualify_text: 'Facebook disqualify text',
  facebook_landing_url: 'Facebook landing URL',
  fulcrum_question: 'Fulcrum question',
  fulcrum_disqualify_text: 'Fulcrum disqualify text',
  fulcrum_landing_url: 'Fulcrum landing URL',
} as const satisfies Record<keyof LandingValues, string>

export const valuesOfLanding = (record: LandingRecord): LandingValues => ({
  survey_url: record.survey_url,
  facebook_question: record.facebook_q1_text.question,
  facebook_disqualify_text: record.facebook_disqualify_text,
  facebook_landing_url: record.facebook_landing_url,
  fulcrum_question: record.fulcrum_q1_text.question,
  fulcrum_disqualify_text: record.fulcrum_disqualify_text,
  fulcrum_landing_url: record.fulcrum_landing_url,
})

/** Converts form values to the call's input. */
const inputOf = ({ facebook_question, fulcrum_question, ...texts }: LandingValues) => ({
  ...texts,
  facebook_q1_text: { question: facebook_question },
  fulcrum_q1_text: { question: fulcrum_question },
})
const fieldOf = (name: string) => name.replace('_q1_text', '_question')

export const landingRules: FormRules<LandingValues> = {
  schema: async () => (await import('../../../../contract/landing.ts')).LandingInput,
  input: (values) => ({ ...inputOf(values) }),
  fieldOf,
}

/** True for the required-field message, which also shows once at the top. */
export const isRequired = (message: string): boolean => message === MESSAGES.landingRequired

/** The form's current values by project, which a preview in another pane follows. */
const typedAtom = atom<Readonly<Record<number, LandingValues>>>({})
export const landingTypedAtom = atom((get) => get(typedAtom))
export const showTyped = (project: number, values: LandingValues): void =>
  store.set(typedAtom, (before) => ({ ...before, [project]: values }))
