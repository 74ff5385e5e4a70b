import { turned } from '../../../contract/contentWords.ts'
import { assetFields } from '../../../contract/fileFields.ts'
import { ASSET_FILES } from '../../../contract/vocabulary.ts'
import { andThen } from '../../../contract/writeEffects.ts'
import { ask, command } from '../command.ts'
import { asksOf } from '../fieldAsks.ts'
import { idAbove } from '../subject.ts'
import { effectLines, effectOfLinks, effectSentence } from '../teamEffect.ts'
import { aboutOf, either, listed, noticeOf } from '../words.ts'

/** A project's files and its team (projects-area 2, Specifications). */
export const fileCommands = {
  'file.download': command({
    title: 'Download',
    on: 'file',
    rule: null,
    icon: 'download',
    keywords: 'save open',
    undo: 'needless',
    async run({ api, subject }) {
      const { data } = await api.write('file.link', { id: subject.id })
      location.assign(data.url)
    },
  }),
  'file.rotate': command({
    title: 'Rotate',
    detail: '90° to the right',
    on: 'file',
    icon: 'repeat',
    keywords: 'turn orientation',
    undo: 'restores',
    async run({ api, subject }) {
      const rotation = turned(Number(subject.record?.rotation ?? 0))
      return { message: (await api.write('file.edit', { id: subject.id, rotation })).message }
    },
  }),
  'file.remove': command({
    title: 'Delete asset',
    on: 'file',
    rule: null,
    danger: true,
    many: true,
    undo: 'restores',
    icon: 'trash',
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: `${either(subjects, 'It is', 'They are')} removed from the project.`,
      action: 'Delete',
    }),
    each: {
      done: 'file.remove',
      one: ({ api, subject, signal }) => api.write('file.remove', { id: subject.id }, { signal }),
    },
  }),
  'project.removeTeam': command({
    title: 'Remove team',
    on: ['project', 'campaign'],
    danger: true,
    undo: 'restores',
    icon: 'x',
    keywords: 'take off',
    confirm: (subjects) => ({
      title: `Remove the team from ${listed(subjects)}?`,
      body: 'Its users no longer see the project, unless they requested it or their client has no team on it.',
      action: 'Remove team',
    }),
    async foresees({ api, subjects: [project], signal }) {
      const { effect } = await api.dryRun('project.removeTeam', { project_id: project!.id }, signal)
      return { body: effectSentence(effect, 'before', String(project!.record?.client_name ?? '')), lines: effectLines(effect) }
    },
    async run({ api, subject }) {
      const { message, effect } = await api.write('project.removeTeam', { project_id: subject.id })
      return { message: andThen(message, effectSentence(effect, 'after')) }
    },
  }),
  'project.addTeams': command({
    title: 'Add to teams…',
    on: ['project', 'campaign'],
    many: true,
    rule: null,
    undo: 'restores',
    icon: 'team',
    keywords: 'link access users open',
    disabledReason: (_workspace, subjects) =>
      new Set(subjects.map((subject) => idAbove(subject, 'client'))).size > 1 ? 'they belong to several clients' : null,
    asks: {
      teams: ask.entities({
        kind: 'team',
        label: 'Teams',
        async among(api, [project]) {
          const client_id = idAbove(project, 'client') ?? (await api.read('project.get', { id: project!.id })).data.client_id
          const { data } = await api.read('team.list', { client_id, per_page: 500 })
          return data.map(({ id, name, users_count, projects_count }) => ({
            value: String(id),
            label: name,
            detail: `${users_count} ${users_count === 1 ? 'user' : 'users'}, ${projects_count} ${projects_count === 1 ? 'project' : 'projects'}`,
          }))
        },
      }),
    },
    confirm: (subjects, { teams = [] }) => ({
      title: `Add ${listed(subjects)} to ${teams.length === 1 ? 'a team' : `${teams.length} teams`}?`,
      body: 'The users of the team will see it.',
      action: 'Add',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const project_ids = subjects.map(({ id }) => id)
      const tried = await Promise.all(
        answers.teams.map((team_id) => api.dryRun('team.addProjects', { team_id, project_ids }, signal)),
      )
      const effect = effectOfLinks(tried.map((one) => one.effect))
      return effect && { body: effectSentence(effect, 'before'), lines: effectLines(effect) }
    },
    async run({ api, subjects, answers }) {
      const project_ids = subjects.map(({ id }) => id)
      const effects = []
      for (const team_id of answers.teams) effects.push((await api.write('team.addProjects', { team_id, project_ids })).effect)
      const [only] = effects
      const teams = answers.teams.length === 1 ? 'a team' : `${answers.teams.length} teams`
      const notice = noticeOf('team.addProjects', { ...aboutOf(subjects), rest: ` to ${teams}` })
      return { message: andThen(notice, effects.length === 1 && only ? effectSentence(only, 'after') : '') }
    },
  }),
  'project.addAsset': command({
    title: 'Add assets…',
    on: ['project', 'campaign'],
    rule: null,
    icon: 'plus',
    keywords: 'upload file document',
    undo: 'restores',
    asks: {
      files: ask.file({
        label: 'Files',
        many: true,
        types: ASSET_FILES,
      }),
      asset_type: asksOf(assetFields).asset_type,
    },
    async run({ api, subject, answers, progress, signal }) {
      const form = new FormData()
      form.append('project_id', String(subject.id))
      form.append('asset_type', answers.asset_type)
      for (const file of answers.files) form.append('file', file, file.name)
      const { message } = await api.upload('file.upload', form, {
        signal,
        onProgress: (share) => progress(Math.round(share * 100), 100, 'uploading'),
      })
      return { message: message }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof fileCommands> {}
}

declare module '../subject.ts' {
  interface AddedToRecords {
    file: { rotation: number; kind: string; client_id: number; client_name: string; project_id: number }
  }
}
