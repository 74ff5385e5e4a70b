import { serverTime } from '../../data/serverClock.ts'
import { administrators } from '../administrators.ts'
import { ask, command, type RawAnswers } from '../command.ts'
import { recordOf, type Subject, type SubjectOf } from '../subject.ts'
import { listed } from '../words.ts'
import type { RecordsToRead, WorkspaceApi } from '../workspaceApi.ts'

const HOUR_MS = 3_600_000
/** The hour of a morning in this browser's time. */
const MORNING = 9

/** The record that a line is about, or with its rewards the ones that can be paid. */
function recordsOf(subject: Subject): RecordsToRead {
  const { command, kind, subject_id } = recordOf(subject, 'desk')
  if (command === 'entry.redeem')
    return { list: 'entries', filter: { project_id: subject_id, status: 'pending', flag: 'none' }, project: Number(subject_id) }
  return { kind: kind as Subject['kind'], id: Number(subject_id), name: subject.name }
}
const settle = (workspace: WorkspaceApi, subject: SubjectOf<'desk'>, reviewed: boolean): void =>
  workspace.startOn(String(recordOf(subject, 'desk').command), recordsOf(subject), reviewed)

/** A morning so many days from now. */
function morning(days: number): Date {
  const day = serverTime()
  day.setDate(day.getDate() + days)
  day.setHours(MORNING, 0, 0, 0)
  return day
}
const untilMonday = (): number => (8 - serverTime().getDay()) % 7 || 7

const SNOOZES = [
  { value: 'change', label: 'Until it changes' },
  { value: 'hour', label: 'For an hour' },
  { value: 'tomorrow', label: 'Until tomorrow', detail: '9 AM' },
  { value: 'monday', label: 'Until Monday', detail: '9 AM' },
  { value: 'day', label: 'Until a day…' },
] as const

/** The moment that an answer means; undefined for a line that waits until it changes. */
function momentOf(until: string, day: string | undefined): string | undefined {
  if (until === 'hour') return new Date(serverTime().getTime() + HOUR_MS).toISOString()
  if (until === 'tomorrow') return morning(1).toISOString()
  if (until === 'monday') return morning(untilMonday()).toISOString()
  return until === 'day' && day ? new Date(`${day}T0${MORNING}:00`).toISOString() : undefined
}
// Declared outside the row, because the compiler would infer its type from the union of all questions.
const day = ask.date({
  label: 'Day',
  when: ({ until }: RawAnswers) => until === 'day',
  check: (value: string) => (value > serverTime().toISOString().slice(0, 10) ? null : 'Choose a later day'),
})
const idsOf = (subjects: readonly Subject[]) => subjects.map(({ id }) => id)

/** What needs the user, line by line. */
export const deskCommands = {
  'desk.review': command({
    title: 'Review what settles it',
    detail: 'its command, before it runs',
    on: 'desk',
    keywords: 'open look',
    icon: 'check',
    undo: 'needless',
    run: ({ workspace, subject }) => settle(workspace, subject, true),
  }),
  'desk.settle': command({
    title: 'Settle',
    detail: 'runs its command',
    on: 'desk',
    keywords: 'do fix run start',
    icon: 'play',
    undo: 'needless',
    run: ({ workspace, subject }) => settle(workspace, subject, false),
  }),
  'desk.acknowledge': command({
    title: 'Acknowledge',
    detail: 'until it changes',
    on: 'desk',
    many: true,
    keywords: 'seen known done ack',
    icon: 'check',
    undo: 'restores',
    review: (subjects) => ({
      title: `Acknowledge ${listed(subjects)}?`,
      body: 'Everybody who has them sees that.',
      action: 'Acknowledge',
    }),
    async run({ api, subjects }) {
      const { message } = await api.write('desk.acknowledge', { ids: idsOf(subjects) })
      return { message }
    },
  }),
  'desk.snooze': command({
    title: 'Snooze…',
    detail: 'until a time, or until it changes',
    on: 'desk',
    many: true,
    keywords: 'remind later hide tomorrow monday',
    icon: 'clock',
    undo: 'restores',
    asks: {
      until: ask.option({ label: 'Until', options: SNOOZES }),
      day,
    },
    review: (subjects) => ({ title: `Snooze ${listed(subjects)}?`, body: 'Everybody who has them sees that.', action: 'Snooze' }),
    async run({ api, subjects, answers: { until, day } }) {
      const at = momentOf(until, day)
      const { message } = await api.write('desk.snooze', { ids: idsOf(subjects), ...(at ? { until: at } : {}) })
      return { message }
    },
  }),
  'desk.reopen': command({
    title: 'Open again',
    detail: 'no longer acknowledged or snoozed',
    on: 'desk',
    many: true,
    keywords: 'wake unsnooze unacknowledge',
    icon: 'undo',
    undo: 'restores',
    review: (subjects) => ({ title: `Open ${listed(subjects)} again?`, body: '', action: 'Open again' }),
    async run({ api, subjects }) {
      const { message } = await api.write('desk.reopen', { ids: idsOf(subjects) })
      return { message }
    },
  }),
  'desk.handOver': command({
    title: 'Hand over…',
    detail: 'to another administrator',
    on: 'desk',
    many: true,
    keywords: 'assign owner give delegate',
    icon: 'user',
    undo: 'restores',
    asks: { owner: ask.entity({ kind: 'user', label: 'To', among: administrators }) },
    review: (subjects) => ({
      title: `Hand over ${listed(subjects)}?`,
      body: 'Their records keep their owners.',
      action: 'Hand over',
    }),
    async run({ api, subjects, answers: { owner } }) {
      const { message } = await api.write('desk.handOver', { ids: idsOf(subjects), owner_id: Number(owner) })
      return { message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof deskCommands> {}
}
