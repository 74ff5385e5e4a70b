import { MESSAGES } from '../../contract/messages.ts'
import { SELECTABLE, SPELLING, STATUSES, type Status, TRANSITIONS } from '../../contract/status.ts'
import type { Api } from '../data/api.ts'
import { href } from '../routes.ts'
import { ask, command, type Result, type Subject } from './command.ts'
import { each, listed, money } from './words.ts'

const PROJECTS = ['project', 'campaign'] as const
const reason = ask.text({ label: 'Reason', lines: 3, placeholder: 'Kept in the history' })
// Outside of the row: in it the compiler takes their type from the union of all questions.
const cost = ask.number({ label: 'Cost', money: true, unit: '$', min: 1, prefill: ([subject]) => subject?.record?.cost_cents })
const valid_until = ask.date({ label: 'Valid until', optional: true, prefill: ([subject]) => subject?.record?.quote_valid_until })
const statusOf = (subject: Subject): Status | null =>
  STATUSES.find((status) => status === (subject.record?.stored_status ?? subject.record?.status)) ?? null

/** Puts a status back: what Undo of a change does; the reason says so in the history. */
const undoTo = (subjects: readonly Subject[], label: string): Result['undo'] => {
  const before = subjects.map((subject) => ({ id: subject.id, status: statusOf(subject) }))
  return {
    label,
    run: (api: Api) =>
      Promise.all(
        before.map(({ id, status }) =>
          status ? api.write('project.setStatus', { id, status, reason: 'Undone', force: true }) : undefined,
        ),
      ),
  }
}

/** Everything that is done to a project, of either generation (projects-area 4, decisions.md 2 to 4). */
export const projectCommands = {
  'project.open': command({
    title: 'Open overview',
    on: PROJECTS,
    rule: null,
    keywords: 'dashboard',
    icon: 'panel',
    run: ({ desk, subject }) =>
      desk.open(
        subject.kind === 'campaign'
          ? href('surveyProject', { id: subject.id }, { tab: 'overview' })
          : href('project', { id: subject.id }, { tab: 'overview' }),
        'tab',
      ),
  }),
  'project.goLive': command({
    title: 'Go live',
    on: PROJECTS,
    access: 'admin',
    many: true,
    keywords: 'launch start field',
    icon: 'play',
    delay: 5,
    confirm: (subjects) => ({
      title:
        subjects.length === 1 ? `Put “${subjects[0]!.name}” into the field?` : `Put ${subjects.length} projects into the field?`,
      body: 'Respondents can arrive from then on. It waits 5 seconds, in which you can undo it.',
      action: 'Go live',
    }),
    run: (context) =>
      each(context, 'went live', (api, subject, signal) => api.write('project.goLive', { id: subject.id }, { signal }), {
        dialog: { title: MESSAGES.goLiveTitle, body: MESSAGES.goLiveBody },
      }),
  }),
  'project.clone': command({
    title: 'Clone project',
    on: PROJECTS,
    access: 'admin',
    keywords: 'copy duplicate',
    icon: 'copy',
    confirm: () => ({
      title: MESSAGES.cloneConfirm,
      body: 'The copy has its activities, audience, surveys and files, no responses, rewards or notes, and waits for its requirements.',
      action: 'Clone',
    }),
    async run({ api, subject, desk }) {
      const { data } = await api.write('project.clone', { id: subject.id })
      desk.open(
        subject.kind === 'campaign'
          ? href('surveyProject', { id: data.project_id }, { tab: 'specifications' })
          : href('project', { id: data.project_id }, { tab: 'specifications' }),
        'pinned',
      )
      return { said: `Cloned as P-${data.project_id}` }
    },
  }),
  'project.assignPartner': command({
    title: 'Assign partner…',
    on: PROJECTS,
    access: 'admin',
    many: true,
    keywords: 'invite channel',
    icon: 'link',
    asks: { partner: ask.entity({ kind: 'partner', label: 'Partner' }) },
    run: (context) =>
      each(context, 'assigned', (api, subject, signal) =>
        api.write('project.assignPartner', { project_id: subject.id, partner_id: context.answers.partner }, { signal }),
      ),
  }),
  'project.mailPartner': command({
    title: 'Mail partner…',
    on: PROJECTS,
    access: 'admin',
    keywords: 'feasibility send',
    icon: 'mail',
    delay: 5,
    asks: {
      partner: ask.entity({
        kind: 'partner',
        label: 'Partner',
        async among(api, subjects) {
          const { data } = await api.read('project.get', { id: subjects[0]!.id })
          return data.partners.map((partner) => ({ value: String(partner.id), label: partner.name }))
        },
      }),
    },
    confirm: (subjects) => ({
      title: `Mail the partner about “${subjects[0]!.name}”?`,
      body: 'The mail carries a link to the feasibility page that works for 14 days.',
      action: 'Mail',
    }),
    async run({ api, subject, answers }) {
      const { message } = await api.write('project.mailPartnerNow', { project_id: subject.id, partner_id: answers.partner })
      return { said: message }
    },
  }),
  'project.setCost': command({
    title: 'Set cost…',
    on: PROJECTS,
    access: 'admin',
    keywords: 'price quote',
    icon: 'coins',
    asks: { cost, valid_until },
    async run({ api, subject, answers }) {
      await api.write('project.setCost', {
        id: subject.id,
        cost_cents: answers.cost,
        ...(answers.valid_until ? { valid_until: answers.valid_until } : {}),
      })
      return { said: `The cost is ${money(answers.cost)}` }
    },
  }),
  'project.notifyCost': command({
    title: 'Mail the client about the cost',
    on: PROJECTS,
    access: 'admin',
    keywords: 'quote notification',
    icon: 'mail',
    delay: 5,
    confirm: (subjects) => ({
      title: `Mail the client what “${subjects[0]!.name}” costs?`,
      body: 'They get a link to approve or reject the quote.',
      action: 'Mail',
    }),
    async run({ api, subject }) {
      const { message } = await api.write('project.notifyCostNow', { id: subject.id })
      return { said: message }
    },
  }),
  'project.approve': command({
    title: 'Approve quote',
    on: PROJECTS,
    keywords: 'accept authorize',
    icon: 'check',
    asks: {
      reason: ask.text({ ...reason, label: 'Note', optional: true, placeholder: 'Why, when you approve on the client’s behalf' }),
    },
    confirm: (subjects) => {
      const cost = subjects[0]?.record?.cost_cents
      return {
        title: `Approve the quote for “${subjects[0]!.name}”?`,
        body: typeof cost === 'number' ? `It costs ${money(cost)}.` : 'The project can go live then.',
        action: 'Approve',
      }
    },
    async run({ api, subject, answers }) {
      await api.write('project.approve', { project_id: subject.id, status: 'QuoteApproved', reason: answers.reason ?? '' })
      return { said: 'Quote approved' }
    },
  }),
  'project.rejectQuote': command({
    title: 'Reject quote…',
    on: PROJECTS,
    icon: 'x',
    asks: { reason },
    confirm: (subjects) => ({
      title: `Reject the quote for “${subjects[0]!.name}”?`,
      body: 'A new round opens: the partners can answer again.',
      action: 'Reject quote',
    }),
    async run({ api, subject, answers }) {
      await api.write('project.reject', { project_id: subject.id, status: 'OnQuote', reason: answers.reason })
      return { said: 'Quote rejected: a new round is open' }
    },
  }),
  'project.reject': command({
    title: 'Reject project…',
    on: PROJECTS,
    danger: true,
    keywords: 'decline withdraw',
    icon: 'x',
    asks: { reason },
    confirm: (subjects) => ({
      title: `Reject “${subjects[0]!.name}”?`,
      body: 'An administrator can reopen it later.',
      action: 'Reject project',
    }),
    async run({ api, subject, answers }) {
      await api.write('project.reject', { project_id: subject.id, status: 'Rejected', reason: answers.reason })
      return {
        said: 'Project rejected',
        undo: { label: 'Reopen', run: (api) => api.write('project.setStatus', { id: subject.id, status: 'requirements' }) },
      }
    },
  }),
  'project.reopen': command({
    title: 'Reopen',
    on: PROJECTS,
    access: 'admin',
    keywords: 'unreject',
    icon: 'undo',
    async run({ api, subject }) {
      await api.write('project.setStatus', { id: subject.id, status: 'requirements' })
      return { said: 'Reopened: it waits for its requirements' }
    },
  }),
  'project.pause': command({
    title: 'Pause…',
    on: PROJECTS,
    access: 'admin',
    many: true,
    keywords: 'stop hold',
    icon: 'pause',
    asks: { reason },
    run: async (context) => ({
      ...(await each(context, 'paused', (api, subject, signal) =>
        api.write('project.setStatus', { id: subject.id, status: 'paused', reason: context.answers.reason }, { signal }),
      )),
      undo: undoTo(context.subjects, 'Resume'),
    }),
  }),
  'project.resume': command({
    title: 'Resume…',
    on: PROJECTS,
    access: 'admin',
    many: true,
    keywords: 'continue unpause',
    icon: 'play',
    asks: { reason },
    run: async (context) => ({
      ...(await each(context, 'resumed', (api, subject, signal) =>
        api.write('project.setStatus', { id: subject.id, status: 'active', reason: context.answers.reason }, { signal }),
      )),
      undo: undoTo(context.subjects, 'Pause'),
    }),
  }),
  'project.complete': command({
    title: 'Complete',
    on: PROJECTS,
    access: 'admin',
    many: true,
    keywords: 'finish close end',
    icon: 'flag',
    confirm: (subjects) => ({
      title: `End the fieldwork of ${listed(subjects)}?`,
      body: 'Respondents who arrive afterwards are still counted; pacing stops mattering.',
      action: 'Complete',
    }),
    run: async (context) => ({
      ...(await each(context, 'completed', (api, subject, signal) =>
        api.write('project.setStatus', { id: subject.id, status: 'completed' }, { signal }),
      )),
      undo: undoTo(context.subjects, 'Back to the field'),
    }),
  }),
  'project.setStatus': command({
    title: 'Change status…',
    on: PROJECTS,
    access: 'admin',
    many: true,
    keywords: 'force pending approved active paused completed',
    icon: 'arrows',
    asks: {
      status: ask.option({
        label: 'Status',
        options: SELECTABLE.map((status) => ({ value: status.value, label: status.label })),
      }),
      reason: ask.text({
        ...reason,
        when: (answers, subjects) => subjects.some((subject) => needsReason(statusOf(subject), answers.status)),
      }),
    },
    confirm: (subjects, { status }) => ({
      title: `Change ${listed(subjects)} to ${SPELLING[status as Status].shown}?`,
      body: 'A status outside the usual order is forced, with your reason in the history. What a status needs of the data is needed all the same.',
      action: 'Change status',
    }),
    run: async (context) => ({
      ...(await each(context, `${SPELLING[context.answers.status as Status].shown.toLowerCase()} now`, (api, subject, signal) =>
        api.write(
          'project.setStatus',
          { id: subject.id, status: context.answers.status, reason: context.answers.reason ?? '', force: true },
          { signal },
        ),
      )),
      undo: undoTo(context.subjects, 'Change back'),
    }),
  }),
  'project.edit': command({
    title: 'Edit project',
    on: PROJECTS,
    access: 'admin',
    keywords: 'change name goal dates',
    icon: 'pencil',
    run: ({ desk, subject }) => desk.open(href('editProject', { id: subject.id }), 'tab'),
  }),
  'project.export': command({
    title: 'Export responses',
    on: PROJECTS,
    keywords: 'csv download respondents',
    icon: 'download',
    async run({ api, subject, desk }) {
      await api.write('export.start', { source: 'responses', filter: { project_id: subject.id } })
      desk.show('jobs')
      return { said: 'The export has begun' }
    },
  }),
} as const

/** Outside the order of decisions.md 2, or where its row asks for one. */
function needsReason(from: Status | null, to: unknown): boolean {
  const row = TRANSITIONS.find(
    (transition) => from !== null && transition.from.includes(from) && transition.to === to && transition.who.includes('admin'),
  )
  return !row || row.reason === true || row.adminReason === true
}
