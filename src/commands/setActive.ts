import { pick } from '../../contract/fieldKinds.ts'
import { brandFields } from '../../contract/visitationFields.ts'
import { ask, command } from './command.ts'
import { asksOf } from './fieldAsks.ts'
import { recordOf, type Subject } from './subject.ts'
import { either, listed, lockOf } from './words.ts'

const { status } = asksOf(pick(brandFields, 'status'))
/** Returns the status to switch to: inactive if all are active, else active. */
const otherStatus = (subjects: readonly Subject[]): 'active' | 'inactive' =>
  subjects.length > 0 && subjects.every((subject) => recordOf(subject, 'brand', 'service').status === 'active')
    ? 'inactive'
    : 'active'
const verbOf = (status: unknown) => (status === 'active' ? 'Activate' : 'Deactivate')

/** The effect on a record of each noun and on its visits. */
const EFFECTS = {
  brand: (subjects: readonly Subject[], status: unknown) =>
    `${either(subjects, 'It is', 'They are')} listed under ${status === 'active' ? 'Active' : 'Inactive'}. Services and visits stay.`,
  service: (subjects: readonly Subject[]) => `${either(subjects, 'Its', 'Their')} visits stay, and new ones still count.`,
} as const

/** Declares the command that switches the status of brands or services. */
export const setActive = <Noun extends keyof typeof EFFECTS>(noun: Noun) =>
  command({
    title: 'Activate or deactivate',
    titleNow: (_workspace, subjects) => verbOf(otherStatus(subjects)),
    on: noun,
    many: true,
    keywords: 'status inactive switch off on',
    icon: 'check',
    undo: 'restores',
    asks: { status: ask.option({ ...status, optional: true, usual: true, prefill: otherStatus }) },
    excludes: (subject, { status }) =>
      status && recordOf(subject, 'brand', 'service').status === status ? `already ${status}` : null,
    review: (subjects, { status }) => ({
      title: `${verbOf(status)} ${listed(subjects)}?`,
      body: EFFECTS[noun](subjects, status),
      action: verbOf(status),
    }),
    each: {
      done: ({ status }) => (status === 'active' ? 'brand.activate' : 'brand.deactivate'),
      one: ({ api, subject, answers, signal }) =>
        api.write(
          `${noun as keyof typeof EFFECTS}.edit`,
          { id: subject.id, status: answers.status as 'active' | 'inactive', ...lockOf(subject.record) },
          { signal },
        ),
    },
  })
