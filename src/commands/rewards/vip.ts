import { count } from '../../../contract/format.ts'
import { isEmail, MESSAGES } from '../../../contract/messages.ts'
import { vipFields } from '../../../contract/vipFields.ts'
import { clauseOf, effectOf, hadAlready, PEOPLE } from '../../../contract/writeEffects.ts'
import type { Api } from '../../data/api.ts'
import { outsideSeconds } from '../../data/outsideSeconds.ts'
import { ask, command } from '../command.ts'
import { answered, asksOf, editAsksOf, saves } from '../fieldAsks.ts'
import { restoreOf } from '../restoring.ts'
import { type Option, recordOf, type Subject } from '../subject.ts'
import { either, listed, noticeOf } from '../words.ts'

/** Returns the project of an experience or an award, or the project itself. */
const projectOf = (subject: Subject): number =>
  subject.kind === 'vip' || subject.kind === 'award' ? Number(recordOf(subject, 'vip', 'award').project_id) : subject.id
const addressesIn = (typed: string) => typed.split(/[\s,;]+/).filter(Boolean)
const inputOf = (subject: Subject, { experience, emails }: { experience: number; emails: string }) => ({
  ...{ id: projectOf(subject), experience_id: experience },
  emails: addressesIn(emails),
})
const wrongOnes = (errors: readonly { value: string }[]) =>
  [...errors.slice(0, 3).map(({ value }) => `“${value}”`), ...(errors.length > 3 ? [`${errors.length - 3} more`] : [])].join(', ')
const getIt = (count: number) => clauseOf(effectOf('award.create'), { count, words: PEOPLE, rest: ' it' }, 'soon')

const experiences = async (api: Api, [subject]: readonly Subject[]): Promise<Option[]> => {
  const { data } = await api.read('vip.list', { id: projectOf(subject!), per_page: 500 })
  return data.map((row) => ({
    value: String(row.id),
    label: row.name,
    detail: row.awarded ? `${count(row.awarded)} awarded` : 'not awarded yet',
  }))
}

/** VIP experiences of a project, and who has them (screens-people-places-rewards.md). */
export const vipCommands = {
  'vip.create': command({
    title: 'New VIP experience…',
    on: ['project', 'campaign', 'vip'],
    rule: null,
    keywords: 'add reward experience',
    icon: 'plus',
    undo: 'restores',
    asks: asksOf(vipFields),
    async run({ api, subject, answers }) {
      const { data } = await api.write('vip.create', { project_id: projectOf(subject), ...answered(vipFields, answers) })
      return { message: noticeOf('vip.create', { name: data.name, noun: 'vip' }) }
    },
  }),
  'vip.award': command({
    title: 'Award…',
    detail: 'a VIP experience, once per address',
    on: ['project', 'campaign', 'vip', 'award'],
    rule: null,
    keywords: 'give vip experience reward emails',
    icon: 'gift',
    undo: 'restores',
    undoName: () => 'Award a VIP experience',
    asks: {
      experience: ask.entity({
        kind: 'vip',
        label: 'Experience',
        among: experiences,
        prefill: ([subject]) =>
          subject?.kind === 'vip'
            ? subject.id
            : subject?.kind === 'award'
              ? recordOf(subject, 'vip', 'award').experience_id
              : null,
      }),
      emails: ask.text({
        label: 'Email addresses',
        lines: 6,
        placeholder: 'One per line, or pasted from a sheet',
        check: (typed: string) => (addressesIn(typed).some(isEmail) ? null : MESSAGES.inviteEmail),
      }),
    },
    confirm: (_subjects, { emails = '' }) => ({
      title: `Award it to ${count(addressesIn(emails).length)} ${addressesIn(emails).length === 1 ? 'address' : 'addresses'}?`,
      body: 'Nobody is emailed.',
      action: 'Award',
    }),
    async foresees({ api, subjects: [subject], answers, signal }) {
      const { data } = await api.dryRun('award.create', inputOf(subject!, answers), signal)
      const repeats = data.repeats.length
      const wrong = data.errors.length
      const body = [
        repeats ? `${count(repeats)} ${repeats === 1 ? 'already has it and is' : 'already have it and are'} skipped.` : '',
        wrong ? `${count(wrong)} ${wrong === 1 ? 'is' : 'are'} not valid and skipped: ${wrongOnes(data.errors)}.` : '',
        'Nobody is emailed.',
      ]
      return {
        title: data.awarded ? `${getIt(data.awarded)}?` : hadAlready(repeats),
        body: body.filter(Boolean).join(' '),
      }
    },
    async run({ api, subject, answers }) {
      const { data, message } = await api.write('award.create', inputOf(subject, answers))
      return data.awarded ? { message, undoUntil: Date.now() + outsideSeconds() * 1000 } : { message }
    },
  }),
  'vip.rename': command({
    title: 'Rename VIP experience…',
    on: 'vip',
    keywords: 'edit name',
    icon: 'pencil',
    undo: 'restores',
    asks: editAsksOf(vipFields),
    run: saves('vip', vipFields),
  }),
  'vip.remove': command({
    title: 'Delete VIP experience',
    on: 'vip',
    many: true,
    danger: true,
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => {
      const awarded = subjects.reduce((all, subject) => all + Number(recordOf(subject, 'vip', 'award').awarded ?? 0), 0)
      const stay = `${awarded === 1 ? 'One award stays' : `${count(awarded)} awards stay`} in the list of awards.`
      return {
        title: `Delete ${listed(subjects)}?`,
        body: awarded ? stay : `${either(subjects, 'It was', 'They were')} never awarded.`,
        action: 'Delete',
      }
    },
    each: {
      done: 'vip.remove',
      one: ({ api, subject, signal }) => api.write('vip.remove', { id: subject.id }, { signal }),
    },
  }),
  'vip.withdraw': command({
    title: 'Withdraw award…',
    on: 'award',
    many: true,
    danger: true,
    keywords: 'take back remove delete',
    icon: 'x',
    undo: 'restores',
    asks: { reason: ask.text({ label: 'Reason', recalls: true, optional: true, placeholder: 'Kept in the history' }) },
    confirm: (subjects) => ({
      title: `Withdraw ${listed(subjects)}?`,
      body: either(subjects, 'The person isn’t notified.', 'They aren’t notified.'),
      action: 'Withdraw',
    }),
    async run({ api, subjects, answers }) {
      const [first] = subjects
      const ids = subjects.map(({ id }) => id)
      const { message } = await api.write('award.withdraw', { id: projectOf(first!), ids, reason: answers.reason ?? '' })
      return { message }
    },
  }),
  'vip.restore': restoreOf('vip'),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof vipCommands> {}
}
