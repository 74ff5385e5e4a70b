import { count, dollars, roundDollars } from '../../../../contract/format.ts'
import { may } from '../../../data/permissions.ts'
import { href } from '../../../routing/routes.ts'
import { ask, command, type OneContext, type RawAnswers, type Result } from '../../command.ts'
import { recordOf, type Subject } from '../../subject.ts'
import { either, listed, named } from '../../words.ts'
import { PROJECTS, reason } from './reason.ts'

/** Returns the displayed revision and price: if either has changed, the server refuses the decision. */
function seen(subject: Subject): { cost_cents?: number; quote_id?: number; lock_version?: number } {
  const { cost_cents, quote_id, quote_lock_version: lock_version } = recordOf(subject, ...PROJECTS)
  return {
    ...(typeof cost_cents === 'number' ? { cost_cents } : {}),
    ...(typeof quote_id === 'number' && typeof lock_version === 'number' ? { quote_id, lock_version } : {}),
  }
}

/** Describes the order: "400 completes at $2.50. "; empty if the subject lacks a figure. */
function bought(subject: Subject): string {
  const { ordered, cost_per_complete_cents: price } = recordOf(subject, ...PROJECTS)
  return typeof ordered === 'number' && typeof price === 'number' ? `${count(ordered)} completes at ${dollars(price)}. ` : ''
}

/** After a client user's decision, leads to the next quote that waits for them, or to Specifications. */
async function decided(title: string, { api, subject }: Pick<OneContext<unknown>, 'api' | 'subject'>): Promise<Result['dialog']> {
  const decision = `${named(subject)} is ${title === 'Approved' ? 'approved' : 'back on quote'}.`
  if (may('project.approveForClient')) return { title, body: decision, clicked: true }
  // The decision is made even if the next quote can't be read.
  const waiting = await api.read('project.waiting', {}).catch(() => null)
  const next = waiting?.data.find(({ id }) => id !== subject.id)
  const { id } = subject
  const specifications =
    subject.kind === 'campaign'
      ? href('surveyProject', { id }, { tab: 'specifications' })
      : href('project', { id }, { tab: 'specifications' })
  return {
    title,
    body: `${decision}${next ? ` The quote for ${named({ ...next, kind: 'project' })} waits next.` : ''}`,
    leadsTo: next ? href('clientApproval', { id: next.id }) : specifications,
  }
}

/** Asks only administrators, who decide for the client and must say why. */
const note = ask.text({
  ...reason,
  label: 'Note',
  placeholder: 'Why you approve on the client’s behalf',
  confirms: true,
  when: () => may('project.approveForClient'),
})

/** TABLE  usual reasons to reject a quote; any other reason is typed. */
const ABOUT = ['Price', 'Timing', 'Audience'] as const
const OTHER = 'Other'
const about = ask.option({
  label: 'Because of',
  options: [
    { value: 'Price', label: 'Price', detail: 'too high for what we get' },
    { value: 'Timing', label: 'Timing', detail: 'other dates, or sooner' },
    { value: 'Audience', label: 'Audience', detail: 'other people, markets or completes' },
    { value: OTHER, label: OTHER, detail: 'in your own words' },
  ],
})
const isOther = ({ about }: RawAnswers): boolean => about === OTHER
const details = ask.text({
  ...reason,
  label: 'Details',
  placeholder: 'What should change? Optional',
  optional: true,
  when: (answers) => ABOUT.some((one) => one === answers.about),
})
const otherReason = ask.text({ ...reason, placeholder: 'What should change?', when: isOther })
/** Formats the stored reason: "Price: $2 per complete is our limit". */
const whyRejected = (answers: { about: string; details?: string | undefined; reason?: string | undefined }): string =>
  isOther(answers) ? (answers.reason ?? '') : [answers.about, answers.details?.trim()].filter(Boolean).join(': ')

/** The client's decision on a quote, by its users or on their behalf (projects-area 4, decisions.md 4). */
export const decisionCommands = {
  'project.approve': command({
    title: 'Approve quote',
    on: PROJECTS,
    keywords: 'accept authorize',
    icon: 'check',
    many: true,
    irreversible: true,
    asks: { reason: note },
    confirm: (subjects) => {
      const costs = subjects.map((subject) => subject.record?.cost_cents).filter((cost) => typeof cost === 'number')
      const sum = costs.reduce((a, b) => a + b, 0)
      const [one] = subjects
      if (one && subjects.length === 1)
        return {
          title: `Approve ${named(one)}${costs.length ? ` for ${roundDollars(sum)}` : ''}?`,
          body: `${bought(one)}It can be launched then.`,
          action: 'Approve',
        }
      return {
        title: `Approve ${count(subjects.length)} quotes${costs.length ? ` for ${roundDollars(sum)} in all` : ''}?`,
        body: 'They can then be launched.',
        action: 'Approve',
      }
    },
    each: {
      done: 'project.approve',
      leads: (context) => decided('Approved', context),
      one: ({ api, subject, answers, signal }) =>
        api.write(
          'project.approve',
          { project_id: subject.id, status: 'QuoteApproved', reason: answers.reason ?? '', ...seen(subject) },
          { signal },
        ),
    },
  }),
  'project.rejectQuote': command({
    title: 'Reject quote…',
    on: PROJECTS,
    icon: 'x',
    many: true,
    irreversible: true,
    asks: { about, details, reason: otherReason },
    confirm: (subjects) => ({
      title: `Reject the ${either(subjects, 'quote', 'quotes')} for ${listed(subjects)}?`,
      body: either(
        subjects,
        'A new round opens without a cost. Its partners can quote again.',
        'A new round opens for each, without a cost. Their partners can quote again.',
      ),
      action: 'Reject quote',
    }),
    each: {
      done: 'project.rejectQuote',
      leads: (context) => decided('Rejected', context),
      one: ({ api, subject, answers, signal }) =>
        api.write(
          'project.reject',
          { project_id: subject.id, status: 'OnQuote', reason: whyRejected(answers), ...seen(subject) },
          { signal },
        ),
    },
  }),
} as const
