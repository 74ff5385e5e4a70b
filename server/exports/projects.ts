import type { z } from 'zod'
import type { ExportColumn } from '../../contract/exports.ts'
import { pacingOf } from '../../contract/pacing.ts'
import { rowFields } from '../../contract/projectFields.ts'
import { PROJECT_COLUMNS } from '../../contract/projectHeadings.ts'
import type { ListInput } from '../../contract/projectInput.ts'
import { SPELLING } from '../../contract/status.ts'
import type { Ctx } from '../core/context.ts'
import type { Cell } from '../core/csv.ts'
import { fieldReader } from '../core/fieldColumns.ts'
import { familyRows, sumOf } from '../domain/project/family.ts'
import { orderedIds } from '../domain/project/list.ts'
import { pacingInput } from '../domain/project/projectRows.ts'
import { currentStates, pricedFor } from '../domain/project/quotes.ts'
import { among, kindsOf, type Listing, money, namesOf, PAGE_ROWS, type Selected } from './exportSource.ts'

const fieldsIn = fieldReader(rowFields)
/** Columns of fields, whose values are in the file as they are. */
type FieldColumn = keyof typeof rowFields & ExportColumn<'projects'>
const FIELD_COLUMNS = Object.keys(PROJECT_COLUMNS).filter((id) => Object.hasOwn(rowFields, id)) as FieldColumn[]

/** Projects that match a list's filter: each parent with its family's figures, followed by its children. */
export const projectsExport =
  (generation: 'project' | 'campaign') =>
  async (ctx: Ctx, filter: z.output<typeof ListInput> & Selected, columns: readonly string[]): Promise<Listing> => {
    const ids = among(await orderedIds(ctx, filter, { generation }), filter.ids)
    const holds = new Set<number>()
    async function* pages() {
      for (let at = 0; at < ids.length; at += PAGE_ROWS / 2) {
        const some = ids.slice(at, at + PAGE_ROWS / 2)
        const found = await familyRows(ctx, some)
        const rows = found.map(pricedFor(ctx, await currentStates(ctx, found)))
        const children = Map.groupBy(
          rows.filter((row) => row.parent_id !== null),
          (row) => row.parent_id,
        )
        const childrenOf = (row: (typeof rows)[number]) => children.get(row.id) ?? []
        const familyOf = (row: (typeof rows)[number]) => [row, ...childrenOf(row)]
        const place = new Map(some.map((id, index) => [id, index]))
        const names = new Map(rows.map((row) => [row.id, row.name]))
        // A child that matches by itself is still listed under its parent.
        const under = (row: (typeof rows)[number]) => place.get(row.parent_id ?? row.id) ?? place.get(row.id) ?? 0
        rows.sort((a, b) => under(a) - under(b) || Number(a.parent_id !== null) - Number(b.parent_id !== null) || a.id - b.id)
        const cells: Record<Exclude<ExportColumn<'projects'>, FieldColumn>, (row: (typeof rows)[number]) => Cell> = {
          id: (row) => row.id,
          parent: (row) => (row.parent_id === null ? '' : (names.get(row.parent_id) ?? '')),
          client: (row) => row.client_name,
          owner: (row) => row.owner_name ?? '',
          status: (row) => SPELLING[row.status].shown,
          ordered: (row) => sumOf(familyOf(row), 'ordered'),
          delivered: (row) => sumOf(familyOf(row), 'delivered'),
          pacing: (row) => pacingOf(pacingInput(row), ctx.today, childrenOf(row).map(pacingInput)).pacing,
          cost: (row) => money(sumOf(familyOf(row), 'cost_cents')),
          own_cost: (row) => money(row.cost_cents),
          created_at: (row) => row.created_at,
        }
        for (const row of rows) holds.add(row.id)
        yield rows.map((row) => {
          const fields = fieldsIn(row)
          return columns.map((id) =>
            FIELD_COLUMNS.includes(id as FieldColumn) ? fields[id as FieldColumn] : cells[id as keyof typeof cells](row),
          )
        })
      }
    }
    const title = generation === 'project' ? 'Projects' : 'Survey projects'
    return { title, count: ids.length, columns: namesOf('projects', columns), kinds: kindsOf(columns), pages, holds }
  }
