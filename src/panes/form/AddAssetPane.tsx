import { useRef, useState } from 'react'
import { faultsOf } from '../../../contract/fieldKinds.ts'
import { assetFields } from '../../../contract/fileFields.ts'
import { fileSize } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { PAGE } from '../../../contract/pages.ts'
import { ASSET_TYPES } from '../../../contract/vocabulary.ts'
import { AnswerState } from '../../data/AnswerState.tsx'
import { api } from '../../data/apiClient.ts'
import { useCall } from '../../data/useCall.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Pager } from '../../ui/Pager.tsx'
import { Select } from '../../ui/Select.tsx'
import { focusChanged } from '../../workspace/focusLater.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FormField } from '../shared/form/FormField.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { RecordForm } from '../shared/form/RecordForm.tsx'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { AssetRows } from './AssetRows.tsx'
import { type AssetRow, blankRow, useRowUploads } from './assetRows.ts'
import { OfProject } from './OfProject.tsx'
import type { Project } from './projectEdit.ts'

interface Values {
  rows: AssetRow[]
}
const LABELS = { rows: 'Assets' } as const
const first: AssetRow = { key: 1, file: null, asset_type: '', description: '' }

/** Says what is wrong with each row, by key. */
const faultsIn = (rows: readonly AssetRow[]) =>
  Object.fromEntries(
    rows.map(({ key, file, ...row }) => [key, faultsOf(assetFields, { ...row, file_id: file ? [file] : [] })] as const),
  )
export const ASSET_RULES: FormRules<Values> = {
  also({ rows }): { rows?: string } {
    const faults = faultsIn(rows)
    const at = rows.findIndex(({ key }) => Object.keys(faults[key]!).length)
    if (at < 0) return {}
    const [fault] = Object.values(faults[rows[at]!.key]!)
    return { rows: at ? `Row ${at + 1}: ${fault}` : fault! }
  },
}

/** Adds files to a project as assets, one row per file. */
export default function AddAssetPane({ params }: PaneProps) {
  return <OfProject id={Number(params.id)}>{(project) => <AssetForm key={project.id} project={project} />}</OfProject>
}

function AssetForm({ project }: { project: Project }) {
  const here = useRef<number | null>(null)
  const [tried, setTried] = useState(false)
  const specifications = recordHref(project.generation, project.id, 'specifications')
  const form = useRecordForm<Values>({
    form: 'asset.create',
    record: project.id,
    initial: { rows: [first] },
    labels: LABELS,
    rules: ASSET_RULES,
    also: (): { rows?: string } => {
      setTried(true)
      const [fault] = Object.values(uploads.faults)
      if (fault) return { rows: fault }
      return uploads.busy ? { rows: 'A file is still uploading.' } : {}
    },
    noun: 'asset',
    rows: {
      add: () => addRow(),
      remove() {
        const { rows } = form.values
        removeRow(here.current ?? rows.at(-1)!.key)
      },
      whyNotRemove: (): string | null => (latest.current.length === 1 ? 'the last row stays' : null),
    },
    async save({ values: { rows }, attempt }) {
      const assets = rows.map(({ file, asset_type, description }) => ({
        file_id: file!.id,
        asset_type: asset_type as (typeof ASSET_TYPES)[number],
        description,
      }))
      const { data } = await api.write('file.addAssets', { id: project.id, assets }, { attempt })
      setTried(false)
      const [one] = data
      return {
        title: data.length === 1 ? 'Asset Added' : 'Assets Added',
        name: data.length === 1 ? one!.original_name : `${one!.original_name} and ${data.length - 1} more`,
        leads: `${specifications}?section=assets`,
      }
    },
  })
  const { rows } = form.values
  const latest = useRef(rows)
  latest.current = rows
  const change = (next: readonly AssetRow[]) => {
    latest.current = [...next]
    form.set('rows', [...next])
  }
  const uploads = useRowUploads(() => latest.current, change)
  const rowOf = (key: number) => form.page.current?.querySelector<HTMLElement>(`[data-row="${key}"] button`)
  const addRow = () => {
    const last = rows.at(-1)!
    // The last row needs a file before another is added.
    if (!uploads.fileOf(last)) {
      return focusChanged(
        () => setTried(true),
        () => rowOf(last.key),
      )
    }
    const next = blankRow(rows)
    focusChanged(
      () => change([...rows, next]),
      () => rowOf(next.key),
    )
  }
  const removeRow = (key: number) => {
    if (rows.length === 1) return
    uploads.stop(key)
    const at = rows.findIndex((row) => row.key === key)
    here.current = null
    focusChanged(
      () => change(rows.filter((row) => row.key !== key)),
      () => rowOf((rows[at + 1] ?? rows[at - 1])!.key),
    )
  }
  const wrong = Boolean(ASSET_RULES.also?.({ rows }).rows)
  return (
    <RecordForm
      form={form}
      title={`Add assets to ${project.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('project', project.id)}</span>
          <PaneLink to={specifications} className="text-accent-ink hover:underline">
            Specifications
          </PaneLink>
        </p>
      }
      send={rows.length === 1 ? 'Add asset' : `Add ${rows.length} assets`}
      sections={[
        {
          id: 'rows',
          title: 'Assets',
          hint: 'Each file gets a row.',
          fields: ['rows'],
          done: rows.every(({ file, asset_type }) => file && asset_type),
          children: (
            <FormField control={form.control} name="rows" label="Files with their types" group wide quiet={tried && wrong}>
              {() => (
                <AssetRows
                  rows={rows}
                  uploads={uploads}
                  faults={tried ? faultsIn(rows) : {}}
                  onChange={(key, some) => change(rows.map((row) => (row.key === key ? { ...row, ...some } : row)))}
                  onRemove={removeRow}
                  onRow={(key) => {
                    here.current = key
                  }}
                  footer={
                    <div className="flex flex-wrap items-center gap-2">
                      <CommandButton id="row.add">Add a row</CommandButton>
                      {rows.length > 1 && (
                        <Select
                          aria-label="Type of all rows"
                          value=""
                          placeholder="Type of all rows"
                          options={ASSET_TYPES.map((type) => ({ value: type, label: type }))}
                          onChange={(asset_type) => change(rows.map((row) => ({ ...row, asset_type })))}
                        />
                      )}
                    </div>
                  }
                />
              )}
            </FormField>
          ),
        },
        { id: 'here', title: 'Project assets', fields: [], done: true, children: <CurrentAssets id={project.id} /> },
      ]}
    />
  )
}

/** Lists the project's current assets, 5 a page. */
function CurrentAssets({ id }: { id: number }) {
  const [page, setPage] = useState(1)
  const answer = useCall('file.assets', { id, page })
  return (
    <div className="@lg:col-span-2">
      <AnswerState answer={answer} what="The assets" rows={3} empty={<p className="text-muted">No assets yet.</p>} />
      <ul className="divide-y divide-line">
        {answer.data?.data.map((file) => (
          <li key={file.id} className="flex min-h-8 items-center gap-3 py-1">
            <a href={file.url} data-command="file.download" className="min-w-0 truncate hover:underline">
              <bdi>{file.name}</bdi>
            </a>
            <span className="ml-auto shrink-0 text-meta text-muted">{file.asset_type}</span>
            <span className="w-16 shrink-0 text-right text-meta text-muted tabular-nums">{fileSize(file.size)}</span>
          </li>
        ))}
      </ul>
      {answer.data && answer.data.count > PAGE.small && (
        <Pager page={page} size={PAGE.small} total={answer.data.count} most={PAGE.links} noun="assets" onPage={setPage} />
      )}
    </div>
  )
}
