import { projectFields } from '../../../../contract/projectFields.ts'
import { SELECTABLE, SPELLING, STATUSES, STEP, type Status, TRANSITIONS } from '../../../../contract/status.ts'
import { statusEffect } from '../../../../contract/writeEffects.ts'
import { may } from '../../../data/permissions.ts'
import { ask, command } from '../../command.ts'
import { type Option, recordOf, type Subject } from '../../subject.ts'
import { either, listed } from '../../words.ts'
import { optionalReason, PROJECTS, reason } from './reason.ts'

function statusOf(subject: Subject): Status | null {
  const { stored_status, status } = recordOf(subject, ...PROJECTS)
  return STATUSES.find((one) => one === (stored_status ?? status)) ?? null
}

const shownOf = (status: unknown): string => SPELLING[status as Status].shown

/** Status changes of a project and their reversal (projects-area 4, decisions.md 2). */
export const statusCommands = {
  'project.reject': command({
    title: 'Reject project…',
    // A client's own request isn't rejected but withdrawn.
    titleNow: () => (may('project.approveForClient') ? null : 'Withdraw request…'),
    on: PROJECTS,
    danger: true,
    many: true,
    keywords: 'decline withdraw',
    icon: 'x',
    asks: { reason },
    confirm: (subjects) =>
      may('project.approveForClient')
        ? {
            title: `Reject ${listed(subjects)}?`,
            body: 'An administrator can reopen rejected projects.',
            action: either(subjects, 'Reject project', 'Reject projects'),
          }
        : {
            title: `Withdraw ${listed(subjects)}?`,
            body: 'Work on it stops, and partners who were asked are told. The administrators can reopen it.',
            action: either(subjects, 'Withdraw request', 'Withdraw requests'),
          },
    undo: 'restores',
    each: {
      done: () => (may('project.approveForClient') ? 'project.reject' : 'project.withdraw'),
      one: ({ api, subject, answers, signal }) =>
        api.write('project.reject', { project_id: subject.id, status: 'Rejected', reason: answers.reason }, { signal }),
    },
  }),
  'project.reopen': command({
    title: 'Reopen',
    on: PROJECTS,
    keywords: 'unreject',
    icon: 'undo',
    many: true,
    undo: 'restores',
    review: (subjects) => ({
      title: `Reopen ${listed(subjects)}?`,
      body: either(subjects, 'It goes back to requirements.', 'Each goes back to requirements.'),
      action: 'Reopen',
    }),
    each: {
      done: 'project.reopen',
      one: ({ api, subject, signal }) => api.write('project.setStatus', { id: subject.id, status: 'requirements' }, { signal }),
    },
  }),
  'project.pause': command({
    title: 'Pause…',
    on: PROJECTS,
    many: true,
    keywords: 'stop hold',
    icon: 'pause',
    asks: { reason: optionalReason },
    undo: 'restores',
    review: (subjects) => ({
      title: `Pause ${listed(subjects)}?`,
      body: either(
        subjects,
        'Fieldwork stops until you resume it. Its end stays where it is, and responses that still arrive count.',
        'Fieldwork stops until you resume them. Their ends stay where they are, and responses that still arrive count.',
      ),
      action: 'Pause',
    }),
    each: {
      done: 'project.pause',
      one: ({ api, subject, answers, signal }) =>
        api.write('project.setStatus', { id: subject.id, status: 'paused', reason: answers.reason ?? '' }, { signal }),
    },
  }),
  'project.resume': command({
    title: 'Resume…',
    on: PROJECTS,
    many: true,
    keywords: 'continue unpause',
    icon: 'play',
    asks: { reason: optionalReason },
    undo: 'restores',
    review: (subjects) => ({
      title: `Resume ${listed(subjects)}?`,
      body: either(subjects, 'Fieldwork continues.', 'Fieldwork continues.'),
      action: 'Resume',
    }),
    each: {
      done: 'project.resume',
      one: ({ api, subject, answers, signal }) =>
        api.write('project.setStatus', { id: subject.id, status: 'active', reason: answers.reason ?? '' }, { signal }),
    },
  }),
  'project.complete': command({
    title: 'Complete',
    on: PROJECTS,
    many: true,
    keywords: 'finish close end',
    icon: 'flag',
    confirm: (subjects) => ({
      title: `End the fieldwork of ${listed(subjects)}?`,
      body: 'Respondents who arrive later still count. Pacing no longer applies.',
      action: 'Complete',
    }),
    undo: 'restores',
    each: {
      done: 'project.complete',
      one: ({ api, subject, signal }) => api.write('project.setStatus', { id: subject.id, status: 'completed' }, { signal }),
    },
  }),
  'project.setStatus': command({
    title: 'Change status…',
    on: PROJECTS,
    // Client users decide on a quote with the call of the same id.
    access: 'project.force',
    many: true,
    keywords: 'force pending approved active paused completed',
    icon: 'arrows',
    asks: {
      status: ask.option({
        label: projectFields.status.label,
        options: statusesFor,
      }),
      reason: ask.text({
        ...reason,
        when: (answers, subjects) => subjects.some((subject) => needsReason(statusOf(subject), answers.status)),
      }),
    },
    excludes: (subject, { status }) =>
      status && statusOf(subject) === status ? `it is already ${STEP[status as Status]}` : null,
    confirm: (subjects, { status }) => ({
      title: status ? `Change ${listed(subjects)} to ${shownOf(status)}?` : `Change the status of ${listed(subjects)}?`,
      body: subjects.some((subject) => isForced(statusOf(subject), status))
        ? 'Skipping a step needs a reason. It’s kept in the history. What a status requires still applies.'
        : 'It’s kept in the history.',
      action: 'Change status',
    }),
    undo: 'restores',
    each: {
      done: ({ status }) => statusEffect(status as Status),
      one: ({ api, subject, answers, signal }) =>
        api.write(
          'project.setStatus',
          {
            id: subject.id,
            status: answers.status,
            reason: answers.reason ?? '',
            force: isForced(statusOf(subject), answers.status),
          },
          { signal },
        ),
    },
  }),
} as const

/** Returns an administrator's transition in the order of decisions.md 2; undefined outside it. */
const usual = (from: Status | null, to: unknown) =>
  TRANSITIONS.find(
    (transition) => from !== null && transition.from.includes(from) && transition.to === to && transition.who.includes('admin'),
  )
const isForced = (from: Status | null, to: unknown): boolean => usual(from, to) === undefined

/** True if the change skips that order, or its transition asks for a reason. */
function needsReason(from: Status | null, to: unknown): boolean {
  const row = usual(from, to)
  return !row || row.reason === true || row.adminReason === true
}

/** Returns the statuses to choose from: the current one, then those that follow it, then the rest. */
function statusesFor(subjects: readonly Subject[]): readonly Option[] {
  const all = new Set(subjects.map(statusOf))
  const [now] = all
  const options = SELECTABLE.map(({ value, label }) => ({ value, label }))
  if (all.size !== 1 || !now) return options
  const rank = (value: string) => (value === now ? 0 : isForced(now, value) ? 2 : 1)
  const details = ['now', '', 'skips a step']
  return options
    .map((option) => ({ ...option, detail: details[rank(option.value)]! }))
    .toSorted((a, b) => rank(a.value) - rank(b.value))
}
