import { setTimeout as after } from 'node:timers/promises'
import type { Cluster, Node } from './nodes.ts'

/** Something that happens to a cluster; `does` repairs what doesn't repair itself, and returns a remark. */
export interface Disturbance {
  name: string
  does(cluster: Cluster): Promise<string>
}

/** TABLE  what happens to the cluster, in this order. */
export const DISTURBANCES: readonly Disturbance[] = [
  {
    name: 'pgbouncer',
    async does(cluster) {
      await cluster.restartPgBouncer(2000)
      return 'PgBouncer away for 2 s'
    },
  },
  {
    name: 'switchover',
    async does(cluster) {
      await cluster.switchover()
      return ''
    },
  },
  {
    name: 'kill',
    async does(cluster) {
      const node = await leader(cluster)
      await node.crash()
      await untilMoved(cluster, node).finally(() => node.start())
      return 'PostgreSQL and Patroni of the primary killed, and started once another led'
    },
  },
  {
    name: 'twice',
    async does(cluster) {
      const before = await leader(cluster)
      await cluster.switchover()
      const node = await untilMoved(cluster, before)
      const chosen = await cluster.synchronous()
      await node.crash()
      await after(40_000)
      const next = await cluster.primary()
      node.start()
      // A successor that never saw its history can pick the same timeline: neither then knows that they diverged.
      const back = await cluster.whole(60_000)
      if (!back) await cluster.reinitialize(node)
      return [
        `a primary killed as soon as it led, when ${chosen ? 'a' : 'no'} replica was synchronous`,
        `${next ? 'another' : 'nobody'} led 40 s later, when it was started`,
        back ? 'it came back by itself' : 'it didn’t come back within a minute and was copied from the primary',
      ].join('; ')
    },
  },
  {
    name: 'behind',
    async does(cluster) {
      const node = await leader(cluster)
      const receivers: number[] = []
      for (const replica of cluster.nodes.filter((one) => one !== node))
        for (const row of await cluster.ask(replica, 'select pid from pg_stat_wal_receiver')) receivers.push(Number(row.pid))
      for (const pid of receivers) process.kill(pid, 'SIGSTOP')
      await after(1500)
      await node.crash()
      // They end without reading what the network still holds for them, as with a primary that burnt down.
      for (const name of ['SIGTERM', 'SIGCONT'] as const) for (const pid of receivers) process.kill(pid, name)
      await untilMoved(cluster, node).finally(() => node.start())
      return 'the primary killed when its replicas had received nothing for 1.5 s'
    },
  },
  {
    name: 'lag',
    async does(cluster) {
      const node = await leader(cluster)
      const behind = cluster.nodes.filter((one) => one !== node)
      for (const replica of behind) await cluster.ask(replica, 'select pg_wal_replay_pause()')
      await after(8000)
      for (const replica of behind) await cluster.ask(replica, 'select pg_wal_replay_resume()')
      return 'both replicas held back for 8 s'
    },
  },
  {
    name: 'cut',
    async does(cluster) {
      const node = await leader(cluster)
      node.cut()
      try {
        await untilMoved(cluster, node)
        await after(5000)
      } finally {
        node.join()
      }
      return 'the primary without any network until another led, and 5 s more'
    },
  },
  {
    name: 'replica',
    async does(cluster) {
      const node = await leader(cluster)
      const replica = (await cluster.synchronous()) ?? cluster.nodes.find((one) => one !== node)!
      replica.cut()
      await after(30_000)
      replica.join()
      return 'a replica (the one that commits wait for) without any network for 30 s'
    },
  },
  {
    name: 'etcd',
    does: (cluster) => withoutMajority(cluster, 25_000),
  },
  {
    name: 'failsafe',
    async does(cluster) {
      await cluster.configure({ failsafe_mode: true })
      const note = await withoutMajority(cluster, 25_000)
      await cluster.configure({ failsafe_mode: null })
      return `${note}, with failsafe_mode`
    },
  },
  {
    name: 'disk',
    async does(cluster) {
      const node = await leader(cluster)
      if (!node.fillDisk) return 'not done: no disk can be mounted here'
      node.fillDisk()
      await after(15_000)
      node.freeDisk()
      return 'the primary’s disk full for 15 s'
    },
  },
]

async function leader(cluster: Cluster): Promise<Node> {
  const node = await cluster.primary()
  if (!node) throw new Error('no node is the primary')
  return node
}

async function untilMoved(cluster: Cluster, from: Node): Promise<Node> {
  for (const until = Date.now() + 90_000; Date.now() < until; await after(250)) {
    const now = await cluster.primary()
    if (now && now !== from) return now
  }
  throw new Error('no other node became the primary within 90 s')
}

async function withoutMajority(cluster: Cluster, ms: number): Promise<string> {
  const gone = cluster.nodes.slice(0, 2)
  for (const node of gone) await node.stopEtcd()
  await after(ms)
  for (const node of gone) node.startEtcd()
  return `two of three members of etcd away for ${ms / 1000} s`
}
