import { useMemo, useRef } from 'react'
import type { Input } from '../../../contract/calls.ts'
import { readDate, showDate } from '../../../contract/dates.ts'
import { labelsOf, type Texts, textsOf, type ValuesOf } from '../../../contract/fieldKinds.ts'
import { count } from '../../../contract/format.ts'
import { endsAfterParent } from '../../../contract/lateEnd.ts'
import { MESSAGES } from '../../../contract/messages.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { childFields } from '../../../contract/requestFields.ts'
import { api } from '../../data/apiClient.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { focusChanged } from '../../workspace/focusLater.ts'
import { PaneLink } from '../../workspace/PaneLink.tsx'
import type { PaneProps } from '../../workspace/paneOf.tsx'
import { FieldControl } from '../shared/form/FieldControl.tsx'
import { FieldForm } from '../shared/form/FieldForm.tsx'
import type { FormRules } from '../shared/form/formRules.ts'
import { useRecordForm } from '../shared/form/useRecordForm.ts'
import { recordHref } from '../shared/projectSubject.ts'
import { ChildRows } from './ChildRows.tsx'
import { type ChildRow, followingEnd, nextName, nextRow } from './childRows.ts'
import { OfProject } from './OfProject.tsx'
import type { Project } from './projectEdit.ts'

type Values = ValuesOf<typeof childFields> & Texts
const rowsOf = (values: Values) => values.rows as readonly ChildRow[]
const filled = (child: object) => Object.fromEntries(Object.entries(child).filter(([, value]) => value !== ''))
/** Uses the API call's own schema. */
export const childRules = (project_id: number): FormRules<Values> => ({
  schema: async () => (await import('../../../contract/projectChild.ts')).ChildInput,
  input: (values) => {
    const { rows, copy, file_ids, ...rest } = values
    return {
      project_id,
      ...filled(rest),
      copy: copy ? Number(copy) : null,
      file_ids: file_ids.map(({ id }) => id),
      siblings: rowsOf(values).map(filled),
    }
  },
  fieldOf: (name) => (/^(siblings\b|project_id$)/.test(name) ? (name === 'project_id' ? 'name' : 'rows') : name),
  words: (path, message) => {
    const at = /^siblings\.(\d+)/.exec(path)?.[1]
    return at === undefined ? message : `Child ${Number(at) + 2}: ${message}`
  },
})

/** Adds one or more children to a parent project. */
export default function NewChildPane({ params }: PaneProps) {
  return (
    <OfProject id={Number(params.id)}>
      {(project) => (project.parent_id ? <NotAParent project={project} /> : <ChildForm key={project.id} parent={project} />)}
    </OfProject>
  )
}

function NotAParent({ project }: { project: Project }) {
  return (
    <ErrorState
      title={MESSAGES.topLevelOnly}
      action={
        project.parent && (
          <PaneLink to={recordHref(project.generation, project.parent.id)} className="text-accent-ink underline">
            Open {project.parent.name}
          </PaneLink>
        )
      }
    >
      “{project.name}” is itself a child.
    </ErrorState>
  )
}

function ChildForm({ parent }: { parent: Project }) {
  const taken = parent.children.map(({ name }) => name)
  const here = useRef<number | null>(null)
  const rules = useMemo(() => childRules(parent.id), [parent.id])
  const form = useRecordForm<Values>({
    form: 'project.createChild',
    record: parent.id,
    initial: {
      ...textsOf(childFields),
      name: nextName(parent.name, taken),
      copy: parent.activities.length ? String(parent.id) : '',
    },
    labels: labelsOf(childFields),
    rules,
    noun: 'project',
    files: 'file_ids',
    also: (values) => {
      const { start_dt } = values
      const rows = rowsOf(values)
      const early = (start: string) => parent.start_dt && readDate(start) && start < parent.start_dt
      const message = parent.start_dt ? MESSAGES.startBeforeParent(showDate(parent.start_dt)) : ''
      const at = rows.findIndex((row) => early(row.start_dt))
      return {
        ...(early(start_dt) ? { start_dt: message } : {}),
        ...(at < 0 ? {} : { rows: `Child ${at + 2}: ${message}` }),
      }
    },
    rows: {
      add() {
        const { name, start_dt, end_dt, goal } = form.values
        const rows = rowsOf(form.values)
        const names = [...taken, name, ...rows.map((row) => row.name)]
        const before = rows.at(-1) ?? { name, start_dt, end_dt, goal }
        focusChanged(
          () => form.set('rows', [...rows, nextRow(parent.name, names, before)]),
          () => rowAt(form.page.current, rows.length),
        )
      },
      remove() {
        const rows = rowsOf(form.values)
        if (rows.length) removeRow(here.current ?? rows.length - 1)
      },
    },
    async save({ input, attempt, values }) {
      const { data } = await api.write('project.createChild', input as Input<'project.createChild'>, { attempt })
      const more = data.child_project_ids.length - 1
      return {
        title: more ? 'Projects Created' : 'Project Created',
        name: more ? `${values.name} and ${more} more` : values.name,
        leads: recordHref(parent.generation, data.child_project_id, 'specifications'),
      }
    },
  })
  const removeRow = (at: number) => {
    const rows = rowsOf(form.values)
    const left = rows.filter((_, each) => each !== at)
    here.current = null
    focusChanged(
      () => form.set('rows', left),
      () => (left.length ? rowAt(form.page.current, Math.max(0, at - 1)) : null),
    )
  }
  const { values } = form
  const rows = rowsOf(values)
  const children: readonly ChildRow[] = [values, ...rows]
  const added = children.reduce((sum, { goal }) => sum + (Number(goal) || 0), 0)
  const late = children.some(({ end_dt }) => parent.end_dt && readDate(end_dt) && end_dt > parent.end_dt)
  const warnings = [
    ...(late ? [`${endsAfterParent(showDate(parent.end_dt!))} You can still save it.`] : []),
    ...(form.dirty && children.some(({ goal }) => !Number(goal)) ? [MESSAGES.goalBeforeLive] : []),
  ]
  return (
    <FieldForm
      form={form}
      fields={childFields}
      title={`New child of ${parent.name}`}
      aside={
        <p className="mt-0.5 flex flex-wrap gap-x-3 text-meta text-muted">
          <span className="font-mono">{codeOf('project', parent.id)}</span>
          <span>{parent.client_name}</span>
          <PaneLink to={recordHref(parent.generation, parent.id, 'specifications')} className="text-accent-ink hover:underline">
            Specifications
          </PaneLink>
        </p>
      }
      send={rows.length ? `Create ${rows.length + 1} children` : 'Create child'}
      warnings={warnings}
      beside={<Family parent={parent} added={added} />}
      options={{
        copy: [
          { value: String(parent.id), label: `${parent.name} (the parent)` },
          ...parent.children.map((child) => ({ value: String(child.id), label: child.name })),
        ],
      }}
      controls={{
        start_dt: ({ onChange, ...bound }) => (
          <FieldControl
            field={childFields.start_dt}
            {...bound}
            onChange={(start) => {
              form.set('end_dt', followingEnd(values, start))
              onChange(start)
            }}
          />
        ),
        rows: () => (
          <ChildRows
            rows={rows}
            onChange={(at, row) =>
              form.set(
                'rows',
                rows.map((each, index) => (index === at ? row : each)),
              )
            }
            onRemove={removeRow}
            onRow={(at) => {
              here.current = at
            }}
            add={<CommandButton id="row.add">{rows.length ? 'Add another child' : 'Add a child in a row'}</CommandButton>}
          />
        ),
      }}
      sections={[
        {
          id: 'child',
          title: 'Child',
          fields: ['name', 'start_dt', 'end_dt', 'goal', 'requirements'],
          done: Boolean(values.name.trim() && readDate(values.start_dt)),
        },
        { id: 'more', title: childFields.rows.label, hint: 'They’re created all together or not at all.', fields: ['rows'] },
        {
          id: 'copy',
          title: 'Activities and files',
          fields: ['copy', 'file_ids'],
          done: values.copy !== '' || values.file_ids.length > 0,
        },
      ]}
    />
  )
}

const rowAt = (page: HTMLElement | null, at: number) => page?.querySelector<HTMLElement>(`[data-row="${at}"] input`)

/** Shows what the parent orders, and the family's total with the new children. */
function Family({ parent, added }: { parent: Project; added: number }) {
  const dates = parent.start_dt && parent.end_dt ? `${showDate(parent.start_dt)} to ${showDate(parent.end_dt)}` : 'No dates yet'
  return (
    <section aria-label="Family" className="rounded-md border border-line bg-surface px-3 py-2.5">
      <h2 dir="auto" className="font-semibold">
        {parent.name}
      </h2>
      <p className="text-meta text-muted tabular-nums">{dates}</p>
      <p className="text-meta text-muted tabular-nums">
        {count(parent.goal)} ordered as its own part, {count(parent.ordered)} in total
      </p>
      <p aria-live="polite" aria-atomic="true" className="mt-2 tabular-nums">
        Family total: {count(parent.ordered + added)} completes.
      </p>
    </section>
  )
}
