import { isolateBidi } from '../../../contract/bidi.ts'
import { shortLabelsOf } from '../../../contract/fieldKinds.ts'
import { count, counted } from '../../../contract/format.ts'
import { groupFields } from '../../../contract/groupFields.ts'
import { locationColumns } from '../../../contract/importFields.ts'
import { FILE_FORMATS, type FileFormat } from '../../../contract/importWords.ts'
import { andThen } from '../../../contract/writeEffects.ts'
import { href } from '../../routing/routes.ts'
import { ask, command } from '../command.ts'
import { asksOf } from '../fieldAsks.ts'
import { idAbove, recordOf, type Subject } from '../subject.ts'
import { noticeOf } from '../words.ts'
import type { WorkspaceApi } from '../workspaceApi.ts'

const LABELS: Readonly<Record<string, string>> = shortLabelsOf(locationColumns)
/** File types of a location import. */
const FILES = ['csv', 'xlsx']

/** Returns the id of a kind from the active pane: its own record, or what the record belongs to. */
function here(workspace: WorkspaceApi | undefined, kind: 'client' | 'project' | 'activity' | 'group'): number | null {
  const at = workspace?.subjects().focused
  if (!at) return null
  if (at.kind === kind) return at.id
  return idAbove(at, kind)
}
const nameOf = (files: unknown): string => {
  const [file] = (files as readonly File[] | undefined) ?? []
  return file
    ? file.name
        .replace(/\.\w+$/, '')
        .replace(/[_-]+/g, ' ')
        .trim()
    : ''
}
/** True for an import of people to reward, whose rows became entries. */
const isRewards = (subject: Subject | undefined): boolean => recordOf(subject, 'import').kind === 'reward'
const entries = (number: number) => `${count(number)} ${number === 1 ? 'entry' : 'entries'}`
const leaving = (number: number) => `${counted(number, 'location')} ${number === 1 ? 'leaves' : 'leave'}`
interface Column {
  heading: string
  field: string
}
const columnsOf = (subject: Subject | undefined): readonly Column[] => recordOf(subject, 'import').columns ?? []

/** Location files (screens-people-places-rewards.md, Locations from a file). */
export const importCommands = {
  'group.fromFile': command({
    title: 'Locations from a file…',
    detail: 'a CSV or XLSX file becomes a location group',
    on: 'nothing',
    group: 'add',
    keywords: 'upload import process location file list csv xlsx stores group add',
    icon: 'upload',
    // Nothing is written until the file runs, which has its own undo.
    undo: 'needless',
    failure: 'dialog',
    asks: {
      files: ask.file({ label: 'File', types: FILES }),
      // Declared before the questions asked in turn, so that going back reaches it.
      group_id: ask.entity({
        kind: 'group',
        label: 'Add to a group',
        optional: true,
        usual: true,
        prefill: (_, workspace) => here(workspace, 'group'),
      }),
      project_id: ask.entity({
        kind: 'project',
        label: 'Project',
        optional: true,
        usual: true,
        prefill: (_, workspace) => here(workspace, 'project'),
      }),
      activity_id: ask.entity({
        kind: 'activity',
        label: 'Activity',
        optional: true,
        usual: true,
        prefill: (_, workspace) => here(workspace, 'activity'),
      }),
      // A group, project or activity determines the client.
      client_id: ask.entity({
        kind: 'client',
        label: 'Client',
        when: ({ group_id, project_id, activity_id }) => !group_id && !project_id && !activity_id,
        prefill: (_, workspace) => here(workspace, 'client'),
      }),
      name: ask.text({
        ...asksOf(groupFields).name,
        follows: 'files',
        when: ({ group_id }) => !group_id,
        prefill: (_subjects, _workspace, answers) => nameOf(answers?.files) || null,
      }),
    },
    async run({ api, answers, workspace, progress, signal }) {
      const { files, client_id, name, project_id, activity_id, group_id } = answers
      const [file] = files
      if (!file) throw new Error('Choose a file.')
      const form = new FormData()
      form.append('asset_type', 'Location List')
      form.append('file', file, file.name)
      const { data } = await api.upload('file.uploadDocument', form, {
        signal,
        onProgress: (share) => progress(Math.round(share * 100), 100, 'uploading'),
      })
      const made = await api.write('import.process', {
        ...{ file_id: data[0]!.id, hold: true },
        ...(client_id ? { client_id } : {}),
        ...(name ? { name } : {}),
        ...(project_id ? { project_id } : {}),
        ...(activity_id ? { activity_id } : {}),
        ...(group_id ? { group_id } : {}),
      })
      workspace.open(href('locationFile', { id: made.data.import_id! }))
      return {}
    },
  }),
  'import.map': command({
    title: 'Change a column…',
    detail: 'choose what it holds',
    on: 'import',
    keywords: 'mapping heading address name zip file',
    icon: 'columns',
    undo: 'restores',
    asks: {
      column: ask.option({
        label: 'Column',
        options: ([subject]) =>
          columnsOf(subject).map(({ heading, field }, at) => ({
            value: String(at),
            label: heading,
            detail: LABELS[field] ?? 'Ignored',
          })),
      }),
      field: ask.option({
        label: 'Holds',
        options: [...Object.entries(LABELS).map(([value, label]) => ({ value, label })), { value: 'none', label: 'Ignore' }],
      }),
    },
    async run({ api, subject, answers }) {
      const { column, field } = answers
      const mapped = field === 'none' ? '' : field
      const mapping = columnsOf(subject).map((one, at) =>
        at === Number(column) ? mapped : one.field === mapped ? '' : one.field,
      )
      await api.write('import.map', { id: subject.id, mapping, lock_version: Number(recordOf(subject, 'import').lock_version) })
      const name = columnsOf(subject)[Number(column)]?.heading ?? ''
      return { message: noticeOf('import.mapColumn', { name, rest: ` ${mapped ? LABELS[mapped] : 'ignored'}` }) }
    },
  }),
  'import.show': command({
    title: 'Show',
    detail: 'its locations or rewards',
    on: 'import',
    icon: 'panel',
    undo: 'needless',
    run: ({ workspace, subject }) =>
      workspace.open(
        isRewards(subject)
          ? href('project', { id: Number(idAbove(subject, 'project')) }, { tab: 'rewardCenter', query: { import: subject.id } })
          : href('group', { id: Number(idAbove(subject, 'group')) }, { tab: 'locations' }),
      ),
  }),
  'import.run': command({
    title: 'Process again',
    detail: 'a failed import continues where it stopped',
    on: 'import',
    rule: 'import.again',
    keywords: 'run retry continue import file',
    icon: 'repeat',
    // The import is undone by its own command.
    undo: 'needless',
    async run({ api, subject }) {
      const { message } = await api.write('import.run', { id: subject.id, again: true })
      return { message }
    },
  }),
  'import.correct': command({
    title: 'Correct…',
    detail: 'the value that is wrong, to add the line',
    on: 'fileLine',
    keywords: 'fix error cell value edit',
    icon: 'pencil',
    undo: 'restores',
    asks: {
      value: ask.text({
        label: 'Value',
        optional: true,
        confirms: true,
        prefill: ([line]) => recordOf(line, 'fileLine').value,
      }),
    },
    async run({ api, subject, answers }) {
      const value = answers.value ?? ''
      const { message } = await api.write('import.correct', {
        id: Number(recordOf(subject, 'fileLine').import_id),
        row_id: subject.id,
        value,
      })
      return { message }
    },
  }),
  'import.errors': command({
    title: 'Download errors…',
    detail: 'to correct them and upload them again',
    on: 'import',
    keywords: 'csv excel xlsx refused lines',
    icon: 'download',
    undo: 'needless',
    asks: { format: ask.option({ label: 'Format', options: FILE_FORMATS, prefill: () => 'csv' }) },
    async run({ api, subject, answers }) {
      const format = answers.format as FileFormat
      const { data } = isRewards(subject)
        ? await api.write('reward.importErrors', { id: subject.id, format })
        : await api.write('import.errors', { id: subject.id, format })
      location.assign(data.url)
      return { note: `“${isolateBidi(data.name)}” downloaded` }
    },
  }),
  'import.undo': command({
    title: 'Undo import',
    on: 'import',
    keywords: 'take back delete group locations entries',
    icon: 'undo',
    irreversible: true,
    danger: true,
    confirm: ([subject]) => ({
      title: `Undo “${subject?.name}”?`,
      body: isRewards(subject)
        ? `${entries(Number(recordOf(subject, 'import').created ?? 0))} came with it. Those still pending and unchanged are deleted; the others stay.`
        : recordOf(subject, 'import').makes_group
          ? `The group is deleted, and ${counted(Number(recordOf(subject, 'import').created ?? 0), 'location')} that came with it, except those used elsewhere or changed since. You can process the file again.`
          : `${leaving(Number(recordOf(subject, 'import').created ?? 0) + Number(recordOf(subject, 'import').reused ?? 0))} the group. Those that came with the file are deleted, except those used elsewhere or changed since.`,
      action: 'Undo import',
    }),
    async run({ api, subject }) {
      const { data, message } = await api.write('import.undo', { id: subject.id })
      const stayed = isRewards(subject) ? entries(data.kept) : counted(data.kept, 'location')
      return { message: andThen(message, data.kept ? `${stayed} stayed.` : '') }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof importCommands> {}
}

declare module '../subject.ts' {
  interface AddedToRecords {
    import: { columns: readonly Column[] }
    fileLine: { import_id: number; value: string }
  }
}
