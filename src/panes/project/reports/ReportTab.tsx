import { useCallback, useMemo } from 'react'
import { count, counted, fileSize } from '../../../../contract/format.ts'
import { MESSAGES } from '../../../../contract/messages.ts'
import { COLUMN_TYPES, REPORT_PAGE } from '../../../../contract/reportTypes.ts'
import { labelOf } from '../../../../contract/vocabulary.ts'
import type { Subject } from '../../../commands/subject.ts'
import { AnswerState } from '../../../data/AnswerState.tsx'
import { type ShortColumn, ShortList } from '../../../list/ShortList.tsx'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { Button } from '../../../ui/Button.tsx'
import { cx } from '../../../ui/cx.ts'
import { Mark, Pill } from '../../../ui/Pill.tsx'
import { SelectionBox } from '../../../ui/SelectionBox.tsx'
import { EmptyState } from '../../../ui/States.tsx'
import { Switch } from '../../../ui/Switch.tsx'
import { usePane } from '../../../workspace/pane.tsx'
import { ConflictDialog } from '../../shared/form/ConflictDialog.tsx'
import { duplicateKeys, type ReportColumn } from './reportDraft.ts'
import { useReport } from './useReport.ts'

const TYPE_CHOICES = [{ value: '', label: 'Answer' }, ...COLUMN_TYPES]
const textOf = (row: ReportColumn) => `${row.column_name} ${row.column_key} ${row.question_def}`

/** Edits the columns of a client's data file: names, types and order (screens-projects.md, Client reporting). */
export function ReportTab({ project }: { project: { id: number; name: string } }) {
  const { query, setQuery } = usePane()
  const state = useReport(project)
  const { report, all, changed, faults, edit, idOf } = state
  const doubles = useMemo(() => duplicateKeys(all), [all])
  const faultOf = useCallback(
    (row: ReportColumn) => faults[row.column_key] ?? (doubles.has(row.column_key) ? 'Another column has this name' : null),
    [faults, doubles],
  )
  const subjectOf = useCallback(
    (row: ReportColumn): Subject => ({ kind: 'report', id: idOf(row.column_key), name: row.column_name, record: { ...row } }),
    [idOf],
  )
  const columns = useMemo(
    (): readonly ShortColumn<ReportColumn>[] => [
      {
        id: 'include',
        header: 'Include',
        width: 84,
        priority: 9,
        render: (row) => (
          <span className="flex items-center gap-2.5">
            {/* biome-ignore lint/a11y/useSemanticElements: the grid has the focus, and the box looks the same everywhere */}
            <button
              type="button"
              role="checkbox"
              tabIndex={-1}
              aria-checked={row.should_include === 1}
              aria-label={`Include ${row.column_name}`}
              data-command="report.include"
              className="grid size-6 place-items-center"
              onClick={(event) => {
                event.stopPropagation()
                edit(row.column_key, { should_include: row.should_include === 1 ? 0 : 1 })
              }}
            >
              <SelectionBox state={row.should_include === 1} />
            </button>
            <span
              className={cx('text-meta tabular-nums', changed.has(row.column_key) ? 'font-medium text-amber-ink' : 'text-faint')}
            >
              {row.order}
              {changed.has(row.column_key) && <span className="sr-only"> (not saved)</span>}
            </span>
          </span>
        ),
      },
      {
        id: 'question',
        header: 'Question',
        min: 180,
        flex: 6,
        priority: 7,
        narrow: 'meta',
        render: (row) => (
          <span className="flex min-w-0 items-baseline gap-2">
            {row.question_id !== null && (
              <span className="shrink-0 font-mono text-meta text-muted">{`Q-${row.question_id}`}</span>
            )}
            <span dir="auto" className={cx('truncate', row.should_include === 1 ? '' : 'text-muted')} title={row.question_def}>
              {row.question_def || 'No longer in the survey'}
            </span>
            {row.gone && <Pill tone="grey">Retired</Pill>}
            {row.question_type !== '' && row.question_type !== 'survey' && (
              <span className="shrink-0 text-meta text-faint">{row.question_type}</span>
            )}
          </span>
        ),
      },
      {
        id: 'column_key',
        header: 'Key',
        width: 112,
        priority: 3,
        narrow: 'hidden',
        render: (row) => <span className="truncate font-mono text-meta text-muted">{row.column_key}</span>,
      },
      {
        id: 'column_name',
        header: 'Column name',
        min: 150,
        flex: 4,
        priority: 8,
        narrow: 'lead',
        render: (row) => {
          const fault = faultOf(row)
          return (
            <span className="flex min-w-0 items-center gap-1.5">
              {fault && (
                <span className="shrink-0 text-red-ink" title={fault}>
                  <Mark shape="cross" />
                  <span className="sr-only">{fault}</span>
                </span>
              )}
              <span
                dir="auto"
                className={cx('truncate', fault ? 'text-red-ink' : row.should_include === 1 ? 'font-medium' : 'text-muted')}
              >
                {row.column_name}
              </span>
            </span>
          )
        },
        edit: {
          value: (row) => row.column_name,
          async save(row, value) {
            if (!value.trim()) throw new Error(MESSAGES.questionName)
            edit(row.column_key, { column_name: value.trim() })
          },
        },
      },
      {
        id: 'column_type',
        header: 'Type',
        width: 132,
        priority: 6,
        narrow: 'meta',
        render: (row) => (
          <span className="flex min-w-0 items-center gap-1.5">
            {row.misfits.length > 0 && (
              <span className="shrink-0 text-amber-ink" title={`Most values don’t fit: ${row.misfits.join(', ')}`}>
                <Mark shape="triangle" />
                <span className="sr-only">Most values don’t fit: {row.misfits.join(', ')}</span>
              </span>
            )}
            <span className="truncate text-muted">
              {row.column_type
                ? labelOf(COLUMN_TYPES, row.column_type, row.column_type)
                : row.question_id === null
                  ? '–'
                  : 'Answer'}
            </span>
          </span>
        ),
        edit: {
          kind: 'select',
          options: TYPE_CHOICES,
          value: (row) => row.column_type,
          save: async (row, value) => edit(row.column_key, { column_type: value }),
        },
      },
      {
        id: 'column_custom_definition',
        header: 'Custom definition',
        min: 120,
        flex: 1,
        priority: 4,
        narrow: 'hidden',
        render: (row) => <span className="truncate text-muted">{row.column_custom_definition || '–'}</span>,
        edit: {
          value: (row) => row.column_custom_definition,
          save: async (row, value) => edit(row.column_key, { column_custom_definition: value.trim() }),
        },
      },
      {
        id: 'examples',
        header: 'Example',
        min: 140,
        flex: 2,
        priority: 5,
        narrow: 'hidden',
        render: (row) => (
          <span className="truncate text-meta text-muted" title={row.examples.join('\n')}>
            {row.examples.join(' · ') || '–'}
          </span>
        ),
      },
    ],
    [edit, changed, faultOf],
  )
  if (!report)
    return (
      <section aria-label="Client reporting">
        <AnswerState answer={state.answer} what="The report" rows={8} />
      </section>
    )
  const included = all.filter(({ should_include }) => should_include === 1).length
  return (
    <section aria-label="Client reporting" className="pb-6">
      <header className="flex flex-wrap items-center gap-x-4 gap-y-1.5 border-b border-line px-4 py-2">
        <p className="min-w-0 flex-1 basis-64 tabular-nums">
          {count(included)} of {counted(all.length, 'column')}, {counted(report.rows, 'row')}
          {report.rows > 0 && `, about ${fileSize(report.bytes)}`}
          <span className="ml-3 text-meta" aria-live="polite" aria-atomic="true">
            {state.unsaved ? (
              <span className="font-medium text-amber-ink">
                {state.unsaved === 1 ? '1 change not saved' : `${count(state.unsaved)} changes not saved`}
              </span>
            ) : (
              <span className="text-muted">{report.saved ? 'Saved' : 'Not changed yet'}</span>
            )}
          </span>
        </p>
        <span className="flex flex-wrap items-center gap-1.5">
          {state.unsaved > 0 && <CommandButton id="report.discard" variant="ghost" plain />}
          {state.unsaved > 0 && <CommandButton id="report.save" variant="primary" plain />}
          <CommandButton id="report.datamap" plain />
          <CommandButton id="report.export" variant={state.unsaved ? 'default' : 'primary'} plain />
        </span>
      </header>
      {!report.has_survey && <p className="px-4 pt-3">Link a survey first.</p>}
      {report.missing.length > 0 && (
        <p role="status" className="mx-4 mt-3 flex flex-wrap items-center gap-2 rounded-md bg-blue-wash px-3 py-2 text-blue-ink">
          <Mark shape="diamond" />
          The survey has {counted(report.missing.length, 'new question')} that aren’t in the report.
          <CommandButton id="report.refresh" plain />
        </p>
      )}
      <ShortList<ReportColumn>
        title="Report columns"
        nouns={['column', 'columns']}
        rows={state.columns}
        columns={columns}
        subjectOf={subjectOf}
        textOf={textOf}
        pageSize={REPORT_PAGE}
        actions={['report.applyTemplate', 'report.saveTemplate']}
        bulk={['report.include']}
        lead={
          <Switch checked={query.only === 'included'} onChange={(only) => setQuery({ only: only ? 'included' : null })}>
            Included only
          </Switch>
        }
        empty={
          report.has_survey ? (
            <EmptyState
              action={
                <Button data-view="" onClick={() => setQuery({ only: null })}>
                  Show all columns
                </Button>
              }
            >
              No columns included.
            </EmptyState>
          ) : (
            <EmptyState action={<CommandButton id="survey.create" variant="primary" />}>
              This project has no survey yet.
            </EmptyState>
          )
        }
      />
      {state.conflicts && <ConflictDialog conflicts={state.conflicts} onCancel={state.closeConflicts} onChosen={state.chosen} />}
    </section>
  )
}
