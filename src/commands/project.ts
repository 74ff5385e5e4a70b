import { MESSAGES } from '../../contract/messages.ts'
import { SELECTABLE, SPELLING, STATUSES, type Status, TRANSITIONS } from '../../contract/status.ts'
import { AGES, GENDERS } from '../../contract/vocabulary.ts'
import { href } from '../routes.ts'
import { ask, command, type Each, type Subject } from './command.ts'
import { either, listed, money } from './words.ts'

const PROJECTS = ['project', 'campaign'] as const
/** Each is a job of its own. */
const MOST_EXPORTS = 20
const reason = ask.text({ label: 'Reason', lines: 3, placeholder: 'Kept in the history' })
// Outside of the row: in it the compiler takes their type from the union of all questions.
const cost = ask.number({ label: 'Cost', money: true, unit: '$', min: 1, prefill: ([subject]) => subject?.record?.cost_cents })
const valid_until = ask.date({ label: 'Valid until', optional: true, prefill: ([subject]) => subject?.record?.quote_valid_until })
const statusOf = (subject: Subject): Status | null =>
  STATUSES.find((status) => status === (subject.record?.stored_status ?? subject.record?.status)) ?? null

/** Puts back the status that a project had: the reason says so in the history. */
const backTo = (label: string): NonNullable<Each<unknown>['undo']> => ({
  label,
  one: async ({ api, subject, signal }) => {
    const status = statusOf(subject)
    if (status) await api.write('project.setStatus', { id: subject.id, status, reason: 'Undone', force: true }, { signal })
  },
})

/** Everything that is done to a project, of either generation (projects-area 4, decisions.md 2 to 4). */
export const projectCommands = {
  'project.open': command({
    title: 'Open overview',
    on: PROJECTS,
    rule: null,
    undo: 'needless',
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
      title: `Put ${listed(subjects)} into the field?`,
      body: 'Respondents can arrive from then on. It waits 5 seconds, in which you can undo it.',
      action: 'Go live',
    }),
    each: {
      done: ['is live', 'are live'],
      one: ({ api, subject, signal }) => api.write('project.goLive', { id: subject.id }, { signal }),
      dialog: { title: MESSAGES.goLiveTitle, body: MESSAGES.goLiveBody },
    },
  }),
  'project.clone': command({
    title: 'Clone project',
    on: PROJECTS,
    access: 'admin',
    keywords: 'copy duplicate',
    icon: 'copy',
    irreversible: true,
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
    irreversible: true,
    review: (subjects) => ({
      title: `Invite this partner to answer for ${listed(subjects)}?`,
      body: 'They can be mailed about it then. This can’t be undone.',
      action: 'Assign',
    }),
    each: {
      done: ['has the partner', 'have the partner'],
      one: ({ api, subject, answers, signal }) =>
        api.write('project.assignPartner', { project_id: subject.id, partner_id: answers.partner }, { signal }),
    },
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
      title: `Mail the partner about ${listed(subjects)}?`,
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
    irreversible: true,
    asks: { cost, valid_until },
    confirm: (subjects, answers) => ({
      title: `Set the cost of ${listed(subjects)} to ${money(answers.cost)}?`,
      body: 'It is what the client approves. Another cost can be set until they do; the history keeps each.',
      action: 'Set cost',
    }),
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
    many: true,
    confirm: (subjects) => ({
      title: `Mail the ${either(subjects, 'client', 'clients')} what ${listed(subjects)} ${either(subjects, 'costs', 'cost')}?`,
      body: `They get a link to approve or reject ${either(subjects, 'the quote', 'each quote')}.`,
      action: 'Mail',
    }),
    each: {
      done: ['is quoted to the client by mail', 'are quoted to their clients by mail'],
      one: ({ api, subject, signal }) => api.write('project.notifyCostNow', { id: subject.id }, { signal }),
    },
  }),
  'project.approve': command({
    title: 'Approve quote',
    on: PROJECTS,
    keywords: 'accept authorize',
    icon: 'check',
    many: true,
    irreversible: true,
    asks: {
      reason: ask.text({ ...reason, label: 'Note', optional: true, placeholder: 'Why, when you approve on the client’s behalf' }),
    },
    confirm: (subjects) => {
      const costs = subjects.map((subject) => subject.record?.cost_cents).filter((cost) => typeof cost === 'number')
      const sum = costs.reduce((a, b) => a + b, 0)
      return {
        title: `Approve the ${either(subjects, 'quote', 'quotes')} for ${listed(subjects)}?`,
        body: costs.length
          ? `${either(subjects, 'It costs', 'Together they cost')} ${money(sum)}.`
          : either(subjects, 'It can go live then.', 'They can go live then.'),
        action: 'Approve',
      }
    },
    each: {
      done: ['is approved', 'are approved'],
      one: ({ api, subject, answers, signal }) =>
        api.write(
          'project.approve',
          { project_id: subject.id, status: 'QuoteApproved', reason: answers.reason ?? '' },
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
    asks: { reason },
    confirm: (subjects) => ({
      title: `Reject the ${either(subjects, 'quote', 'quotes')} for ${listed(subjects)}?`,
      body: either(
        subjects,
        'A new round opens: its partners can answer again.',
        'A new round opens for each: their partners can answer again.',
      ),
      action: 'Reject quote',
    }),
    each: {
      done: ['is on quote again', 'are on quote again'],
      one: ({ api, subject, answers, signal }) =>
        api.write('project.reject', { project_id: subject.id, status: 'OnQuote', reason: answers.reason }, { signal }),
    },
  }),
  'project.reject': command({
    title: 'Reject project…',
    on: PROJECTS,
    danger: true,
    many: true,
    keywords: 'decline withdraw',
    icon: 'x',
    asks: { reason },
    confirm: (subjects) => ({
      title: `Reject ${listed(subjects)}?`,
      body: 'An administrator can reopen what was rejected.',
      action: either(subjects, 'Reject project', 'Reject projects'),
    }),
    undo: 'inverse',
    each: {
      done: ['is rejected', 'are rejected'],
      one: ({ api, subject, answers, signal }) =>
        api.write('project.reject', { project_id: subject.id, status: 'Rejected', reason: answers.reason }, { signal }),
      undo: backTo('Reopen'),
    },
  }),
  'project.reopen': command({
    title: 'Reopen',
    on: PROJECTS,
    access: 'admin',
    keywords: 'unreject',
    icon: 'undo',
    many: true,
    undo: 'inverse',
    review: (subjects) => ({
      title: `Reopen ${listed(subjects)}?`,
      body: either(subjects, 'It waits for its requirements then.', 'Each waits for its requirements then.'),
      action: 'Reopen',
    }),
    each: {
      done: ['is open again: its requirements come first', 'are open again: their requirements come first'],
      one: ({ api, subject, signal }) => api.write('project.setStatus', { id: subject.id, status: 'requirements' }, { signal }),
      undo: backTo('Undo'),
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
    undo: 'inverse',
    review: (subjects) => ({
      title: `Pause ${listed(subjects)}?`,
      body: either(
        subjects,
        'Its fieldwork stands still until it is resumed.',
        'Their fieldwork stands still until they are resumed.',
      ),
      action: 'Pause',
    }),
    each: {
      done: ['is paused', 'are paused'],
      one: ({ api, subject, answers, signal }) =>
        api.write('project.setStatus', { id: subject.id, status: 'paused', reason: answers.reason }, { signal }),
      undo: backTo('Resume'),
    },
  }),
  'project.resume': command({
    title: 'Resume…',
    on: PROJECTS,
    access: 'admin',
    many: true,
    keywords: 'continue unpause',
    icon: 'play',
    asks: { reason },
    undo: 'inverse',
    review: (subjects) => ({
      title: `Resume ${listed(subjects)}?`,
      body: either(subjects, 'Its fieldwork goes on.', 'Their fieldwork goes on.'),
      action: 'Resume',
    }),
    each: {
      done: ['is back in the field', 'are back in the field'],
      one: ({ api, subject, answers, signal }) =>
        api.write('project.setStatus', { id: subject.id, status: 'active', reason: answers.reason }, { signal }),
      undo: backTo('Pause'),
    },
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
    undo: 'inverse',
    each: {
      done: ['is completed', 'are completed'],
      one: ({ api, subject, signal }) => api.write('project.setStatus', { id: subject.id, status: 'completed' }, { signal }),
      undo: backTo('Back to the field'),
    },
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
    cant: (subject, { status }) =>
      statusOf(subject) === status ? `it is ${SPELLING[status as Status].shown.toLowerCase()} already` : null,
    confirm: (subjects, { status }) => ({
      title: `Change ${listed(subjects)} to ${SPELLING[status as Status].shown}?`,
      body: 'A status outside the usual order is forced, with your reason in the history. What a status needs of the data is needed all the same.',
      action: 'Change status',
    }),
    undo: 'inverse',
    each: {
      done: ({ status }) => {
        const now = `${SPELLING[status as Status].shown.toLowerCase()} now`
        return [`is ${now}`, `are ${now}`]
      },
      one: ({ api, subject, answers, signal }) =>
        api.write(
          'project.setStatus',
          { id: subject.id, status: answers.status, reason: answers.reason ?? '', force: true },
          { signal },
        ),
      undo: backTo('Change back'),
    },
  }),
  'project.edit': command({
    title: 'Edit project',
    on: PROJECTS,
    access: 'admin',
    keywords: 'change name goal dates',
    icon: 'pencil',
    undo: 'needless',
    run: ({ desk, subject }) => desk.open(href('editProject', { id: subject.id }), 'tab'),
  }),
  'project.narrow': command({
    title: 'Responses of…',
    detail: 'the Overview, of some ages or genders',
    on: PROJECTS,
    rule: null,
    undo: 'needless',
    keywords: 'filter narrow age gender overview segment',
    icon: 'list',
    asks: {
      age: ask.several({
        label: 'Ages',
        optional: true,
        options: [...AGES, { value: 8, label: 'Other' }].map(({ value, label }) => ({ value: String(value), label })),
      }),
      gender: ask.several({ label: 'Genders', optional: true, options: GENDERS }),
    },
    run: ({ desk, subject, answers }) => {
      const query = {
        ...(answers.age?.length ? { age: answers.age.join() } : {}),
        ...(answers.gender?.length ? { gender: answers.gender.join() } : {}),
      }
      desk.open(
        subject.kind === 'campaign'
          ? href('surveyProject', { id: subject.id }, { tab: 'overview', query })
          : href('project', { id: subject.id }, { tab: 'overview', query }),
        'here',
      )
    },
  }),
  'project.export': command({
    title: 'Export responses',
    on: PROJECTS,
    keywords: 'csv download respondents',
    icon: 'download',
    many: true,
    undo: 'needless',
    unless: (_desk, subjects) => (subjects.length > MOST_EXPORTS ? `at most ${MOST_EXPORTS} can be exported at a time` : null),
    each: {
      done: ['is being exported', 'are being exported'],
      one: ({ api, subject, signal }) =>
        api.write('export.start', { source: 'responses', filter: { project_id: subject.id } }, { signal }),
      ends: (desk) => desk.show('jobs'),
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
