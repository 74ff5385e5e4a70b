import type { DemoSize } from '../domain/demoState.ts'

export interface Amounts {
  clients: number
  clientUsers: number
  admins: number
  partners: number
  teams: number
  projects: number
  activities: number
  completes: number
  entries: number
  /** Completes a project: the log-normal's median, 90th percentile and ends. */
  perProject: { median: number; p90: number; low: number; high: number }
}

const perProject = { median: 300, p90: 1000, low: 20, high: 20_000 }

/** The sizes of decisions.md 12; `test` is a handful of everything for tests. */
export const SIZES: Record<DemoSize, Amounts> = {
  test: {
    clients: 3,
    clientUsers: 5,
    admins: 2,
    partners: 3,
    teams: 3,
    projects: 14,
    activities: 24,
    completes: 420,
    entries: 90,
    perProject: { median: 30, p90: 80, low: 20, high: 200 },
  },
  demo: {
    clients: 24,
    clientUsers: 60,
    admins: 6,
    partners: 8,
    teams: 30,
    projects: 180,
    activities: 320,
    completes: 60_000,
    entries: 12_000,
    perProject,
  },
  mid: {
    clients: 150,
    clientUsers: 450,
    admins: 12,
    partners: 40,
    teams: 220,
    projects: 3000,
    activities: 5400,
    completes: 1_000_000,
    entries: 400_000,
    perProject,
  },
  large: {
    clients: 1200,
    clientUsers: 6000,
    admins: 60,
    partners: 150,
    teams: 1800,
    projects: 30_000,
    activities: 54_000,
    completes: 10_000_000,
    entries: 4_000_000,
    perProject,
  },
}
