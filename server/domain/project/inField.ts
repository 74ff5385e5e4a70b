import type { ProjectRecord } from './record.ts'

/** True for a project whose respondents may arrive now or again: an active or paused one. */
export const inField = ({ status }: Pick<ProjectRecord, 'status'>): boolean => status === 'active' || status === 'paused'
