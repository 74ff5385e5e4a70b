import type { Selectable } from 'kysely'
import type { ProjectTable } from '../../db/schema.ts'

/** A project's row. */
export type ProjectRecord = Selectable<ProjectTable>
