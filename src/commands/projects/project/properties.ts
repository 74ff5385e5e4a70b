import type { Input } from '../../../../contract/calls.ts'
import type { Sentence } from '../../../../contract/effectText.ts'
import { pick } from '../../../../contract/fieldKinds.ts'
import { codeOf } from '../../../../contract/nounOf.ts'
import { projectFields, storedFields } from '../../../../contract/projectFields.ts'
import type { Api } from '../../../data/api.ts'
import { administrators } from '../../administrators.ts'
import { bulkEditOf } from '../../bulkEdit.ts'
import { ask, command } from '../../command.ts'
import { editAsksOf, savedNotice } from '../../fieldAsks.ts'
import { recordOf, type Subject } from '../../subject.ts'
import { listed, lockOf } from '../../words.ts'
import { PROJECTS } from './reason.ts'

/** Returns the last day in field; rows of campaigns have it in the older spelling. */
const endOf = ([subject]: readonly Subject[]): string | undefined => {
  const { end_dt, end_date } = (subject?.record ?? {}) as { end_dt?: string | null; end_date?: string | null }
  return (end_dt ?? end_date?.replace(/^(\d\d)\/(\d\d)\/(\d{4})$/, '$3-$1-$2')) || undefined
}

// Declared outside the rows, because the compiler would infer its type from the union of all questions.
const fields = editAsksOf(pick(projectFields, 'end_dt', 'goal'))
const end_dt = { ...fields.end_dt, prefill: endOf }
const goal = { ...fields.goal, prefill: ([subject]: readonly Subject[]) => recordOf(subject, ...PROJECTS).goal || undefined }
/** The option that leaves the family; no project has this id. */
const NONE = 0
const parentOf = (subject: Subject | undefined) => recordOf(subject, ...PROJECTS).parent_id ?? NONE
const parent = ask.entity({
  kind: 'project',
  label: projectFields.parent_id.label,
  optional: true,
  prefill: ([subject]) => parentOf(subject) || undefined,
  among: async (api, [subject]) => {
    const { data: own } = await api.read('project.get', { id: subject!.id })
    const { data } = await api.read('project.ofClient', { client_id: own.client_id, per_page: 500, brief: true, texts: false })
    const others = data
      .filter(({ id }) => id !== subject!.id)
      .map(({ id, name }) => ({ value: String(id), label: name, detail: codeOf('project', id) }))
    return own.parent_id ? [{ value: String(NONE), label: 'No parent', detail: 'Leaves its family' }, ...others] : others
  },
})

/** True if the user follows it, as far as the record says. */
const isFollowed = (subject: Subject): boolean => recordOf(subject, ...PROJECTS).follows === true

const owner = ask.entity({
  kind: 'user',
  label: 'Owner',
  among: async (api) => [
    ...(await administrators(api)),
    { value: String(NONE), label: 'Nobody', detail: 'On the desk of every administrator' },
  ],
})

const save = async (api: Api, subject: Subject, change: Partial<Input<'project.edit'>>): Promise<Sentence> =>
  savedNotice(await api.write('project.edit', { id: subject.id, ...change, ...lockOf(subject.record) }))

/** Single fields of a project, changed without its form. */
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
      return { message: await save(api, subject, { end_dt: answers.end_dt }) }
    },
  }),
  'project.setOwner': command({
    title: 'Assign owner…',
    detail: 'the administrator who looks after it',
    on: PROJECTS,
    rule: null,
    many: true,
    keywords: 'assign responsible mine',
    icon: 'user',
    undo: 'restores',
    asks: { owner },
    review: (subjects) => ({ title: `Assign ${listed(subjects)}?`, body: '', action: 'Assign' }),
    each: {
      done: 'project.setOwner',
      answers: true,
      one: ({ api, subject, answers, signal }) =>
        api.write('project.setOwner', { id: subject.id, owner_id: Number(answers.owner) || null }, { signal }),
    },
  }),
  'project.follow': command({
    title: 'Follow',
    detail: 'the inbox tells you what happens to it',
    on: PROJECTS,
    rule: null,
    many: true,
    disabledReason: (_workspace, subjects) => (subjects.every(isFollowed) ? 'you follow it already' : null),
    keywords: 'watch subscribe notify notifications',
    icon: 'eye',
    undo: 'restores',
    review: (subjects) => ({ title: `Follow ${listed(subjects)}?`, body: '', action: 'Follow' }),
    each: {
      done: 'project.follow',
      one: ({ api, subject, signal }) => api.write('project.follow', { id: subject.id, follows: true }, { signal }),
    },
  }),
  'project.unfollow': command({
    title: 'Stop following',
    detail: 'the inbox no longer tells you what happens to it',
    on: PROJECTS,
    rule: null,
    access: 'project.follow',
    many: true,
    disabledReason: (_workspace, subjects) => (subjects.some(isFollowed) ? null : 'you don’t follow it'),
    keywords: 'unfollow unwatch unsubscribe mute notifications',
    icon: 'eye',
    undo: 'restores',
    review: (subjects) => ({ title: `Stop following ${listed(subjects)}?`, body: '', action: 'Stop following' }),
    each: {
      done: 'project.unfollow',
      one: ({ api, subject, signal }) => api.write('project.follow', { id: subject.id, follows: false }, { signal }),
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
      return { message: await save(api, subject, { goal: answers.goal }) }
    },
  }),
  'project.editField': bulkEditOf('project', storedFields, { on: PROJECTS }),
  'project.setParent': command({
    title: 'Change parent project…',
    detail: 'or none',
    // A campaign can't become a child of a newer project.
    on: 'project',
    rule: 'project.edit',
    keywords: 'family child wave move under',
    icon: 'pencil',
    undo: 'restores',
    asks: { parent },
    async run({ api, subject, answers }) {
      const id = answers.parent || NONE
      return { message: await save(api, subject, { parent_id: id || null }) }
    },
  }),
} as const
