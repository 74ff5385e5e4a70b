import { turned } from '../../../contract/contentWords.ts'
import { ASSET_FILES, ASSET_TYPES } from '../../../contract/vocabulary.ts'
import { ask, command } from '../command.ts'
import { either, listed } from '../words.ts'

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
      done: ['is deleted', 'are deleted'],
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
    async run({ api, subject }) {
      const { message } = await api.write('project.removeTeam', { project_id: subject.id })
      return { message: message }
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
      asset_type: ask.option({ label: 'Asset type', options: ASSET_TYPES.map((name) => ({ value: name, label: name })) }),
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
