import { atom } from 'jotai'
import type { Output } from '../../../../contract/calls.ts'
import { faultsOf, inputOf } from '../../../../contract/fieldKinds.ts'
import { type LandingValues, landingFields } from '../../../../contract/landingFields.ts'
import { MESSAGES } from '../../../../contract/messages.ts'
import type { Channel } from '../../../commands/landingController.ts'
import { store } from '../../../data/jotaiStore.ts'
import type { FormRules } from '../../shared/form/formRules.ts'

export type LandingRecord = Output<'landing.get'>['data']

export const CHANNELS = ['facebook', 'fulcrum'] as const
export const CHANNEL_WORDS = { facebook: 'Facebook', fulcrum: 'Fulcrum' } as const satisfies Record<Channel, string>

export const landingRules: FormRules<LandingValues> = {
  input: (values) => inputOf(landingFields, values),
  also: (values) => faultsOf(landingFields, values),
}

/** True for the required-field message, which also shows once at the top. */
export const isRequired = (message: string): boolean => message === MESSAGES.landingRequired

/** The form's current values by project, which a preview in another pane follows. */
const typedAtom = atom<Readonly<Record<number, LandingValues>>>({})
export const landingTypedAtom = atom((get) => get(typedAtom))
export const showTyped = (project: number, values: LandingValues): void =>
  store.set(typedAtom, (before) => ({ ...before, [project]: values }))
