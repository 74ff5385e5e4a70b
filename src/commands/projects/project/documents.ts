import { UPLOADS } from '../../../../contract/vocabulary.ts'
import { ask, command } from '../../command.ts'
import { either, listed } from '../../words.ts'
import { PROJECTS } from './reason.ts'

/** Signed documents of an approved project (screens-quote-flow.md, Approval). */
export const documentCommands = {
  'docsign.add': command({
    title: 'Add signed documents…',
    on: PROJECTS,
    keywords: 'upload contract signature file docsign attach',
    icon: 'flag',
    undo: 'restores',
    asks: { files: ask.file({ label: 'Documents', many: true, types: UPLOADS.document }) },
    async run({ api, subject, answers, progress, signal }) {
      const form = new FormData()
      form.append('project_id', String(subject.id))
      form.append('kind', 'docsign')
      for (const file of answers.files) form.append('file', file, file.name)
      const { message } = await api.upload('file.uploadDocument', form, {
        signal,
        onProgress: (share) => progress(Math.round(share * 100), 100, 'uploading'),
      })
      return { message }
    },
  }),
  'docsign.remove': command({
    title: 'Remove signed document',
    on: 'file',
    rule: 'file.remove',
    // A row that consists of signed documents only doesn't name its kind.
    disabledReason: (_workspace, subjects) =>
      subjects.every(({ record }) => (record?.kind ?? 'docsign') === 'docsign') ? null : 'it isn’t a signed document',
    danger: true,
    many: true,
    keywords: 'delete docsign contract',
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Remove ${listed(subjects)}?`,
      body: `${either(subjects, 'It is', 'They are')} removed from the project. The last one stays.`,
      action: 'Remove',
    }),
    each: {
      done: 'file.removeSigned',
      one: ({ api, subject, signal }) => api.write('file.remove', { id: subject.id }, { signal }),
    },
  }),
} as const
