import { count, longDate } from '../../../../contract/format.ts'
import { codeOf } from '../../../../contract/nounOf.ts'
import { ask, command } from '../../command.ts'
import type { Subject } from '../../subject.ts'
import { lockOf } from '../../words.ts'
import { PROJECTS } from './asked.ts'

/** The last day in field; rows of campaigns have it in the older spelling. */
const endOf = ([subject]: readonly Subject[]): string | undefined => {
  const { end_dt, end_date } = (subject?.record ?? {}) as { end_dt?: string | null; end_date?: string | null }
  return (end_dt ?? end_date?.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2')) || undefined
}

// Declared outside the rows, where the compiler would infer their type from the union of all questions.
const end_dt = ask.date({ label: 'End date', prefill: endOf })
const goal = ask.number({
  label: 'Goal',
  unit: 'completes',
  min: 1,
  prefill: ([subject]) => (subject?.record?.goal as number | undefined) || undefined,
})
const parent = ask.entity({
  kind: 'project',
  label: 'Parent project',
  optional: true,
  among: async (api, [subject]) => {
    const { data: own } = await api.read('project.get', { id: subject!.id })
    const { data } = await api.read('project.ofClient', { client_id: own.client_id, per_page: 500 })
    return data
      .filter(({ id }) => id !== subject!.id)
      .map(({ id, name }) => ({ value: String(id), label: name, detail: codeOf('project', id) }))
  },
})

/** A project's single fields, changed without its form. */
export const propertyCommands = {
  'project.setEnd': command({
    title: 'Change end date…',
    on: PROJECTS,
    rule: 'project.edit',
    keywords: 'extend deadline finish fieldwork until',
    icon: 'pencil',
    undo: 'restores',
    asks: { end_dt },
    async run({ api, subject, answers }) {
      await api.write('project.edit', {
        id: subject.id,
        end_dt: answers.end_dt,
        ...lockOf(subject.record),
      })
      return { message: `Ends ${longDate(answers.end_dt)}` }
    },
  }),
  'project.setGoal': command({
    title: 'Change goal…',
    on: PROJECTS,
    rule: 'project.edit',
    keywords: 'ordered completes sample size',
    icon: 'pencil',
    undo: 'restores',
    asks: { goal },
    async run({ api, subject, answers }) {
      await api.write('project.edit', { id: subject.id, goal: answers.goal, ...lockOf(subject.record) })
      return { message: `The goal is now ${count(answers.goal)} completes` }
    },
  }),
  'project.setParent': command({
    title: 'Change parent project…',
    detail: 'or leave it empty for none',
    on: PROJECTS,
    rule: 'project.edit',
    keywords: 'family child wave move under',
    icon: 'pencil',
    undo: 'restores',
    asks: { parent },
    async run({ api, subject, answers }) {
      await api.write('project.edit', { id: subject.id, parent_id: answers.parent ?? null, ...lockOf(subject.record) })
      return { message: answers.parent ? `Now part of ${codeOf('project', answers.parent)}` : 'Has no parent any more' }
    },
  }),
} as const
