/** A node's name, address and folder. */
export interface Member {
  name: string
  address: string
  folder: string
}

/** Ports on every node's own address. */
export const portsOf = { postgres: 15_432, rest: 18_008, client: 12_379, peer: 12_380 }

/** Patroni's file for a node (JSON is YAML), with short times, as a run has many failovers. */
export function patroniConfig(member: Member, members: readonly Member[], data: string, binaries: string, synchronous: boolean) {
  return {
    scope: 'fieldwork',
    name: member.name,
    restapi: { listen: `${member.address}:${portsOf.rest}`, connect_address: `${member.address}:${portsOf.rest}` },
    etcd3: { hosts: members.map((one) => `${one.address}:${portsOf.client}`) },
    bootstrap: {
      dcs: {
        ttl: 20,
        loop_wait: 2,
        retry_timeout: 5,
        maximum_lag_on_failover: 1_048_576,
        primary_start_timeout: 0,
        synchronous_mode: synchronous,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            max_connections: 80,
            shared_buffers: '32MB',
            max_wal_size: '128MB',
            min_wal_size: '32MB',
            wal_keep_size: '64MB',
            wal_log_hints: 'on',
            hot_standby_feedback: 'on',
            // A caller whose connection broke must not keep the lock of the live events.
            tcp_keepalives_idle: 5,
            tcp_keepalives_interval: 2,
            tcp_keepalives_count: 3,
            idle_in_transaction_session_timeout: '30s',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C.UTF-8' }, 'data-checksums'],
    },
    postgresql: {
      listen: `${member.address}:${portsOf.postgres}`,
      connect_address: `${member.address}:${portsOf.postgres}`,
      use_unix_socket: true,
      data_dir: data,
      bin_dir: binaries,
      pgpass: `${member.folder}/pgpass`,
      basebackup: { checkpoint: 'fast' },
      parameters: { unix_socket_directories: member.folder },
      pg_hba: ['local all all trust', 'host all all 127.0.0.0/8 trust', 'host replication all 127.0.0.0/8 trust'],
      authentication: {
        superuser: { username: 'postgres' },
        replication: { username: 'replicator' },
        rewind: { username: 'postgres' },
      },
    },
  }
}

/** etcd's command line for a node. */
export function etcdArguments(member: Member, members: readonly Member[]): string[] {
  const client = `http://${member.address}:${portsOf.client}`
  const peer = (one: Member) => `http://${one.address}:${portsOf.peer}`
  return [
    ['--name', member.name],
    ['--data-dir', `${member.folder}/etcd`],
    ['--listen-client-urls', client],
    ['--advertise-client-urls', client],
    ['--listen-peer-urls', peer(member)],
    ['--initial-advertise-peer-urls', peer(member)],
    ['--initial-cluster', members.map((one) => `${one.name}=${peer(one)}`).join(',')],
    ['--heartbeat-interval', '200'],
    ['--election-timeout', '2000'],
    ['--log-level', 'warn'],
  ].flat()
}

/** What haproxy and PgBouncer listen on at 127.0.0.1. */
export interface Fronts {
  primary: number
  replicas: number[]
  pooled: number
}

/** One port that leads to the primary, and one for each node while it is a replica. */
export function haproxyConfig(members: readonly Member[], fronts: Fronts): string {
  const server = (member: Member) =>
    `  server ${member.name} ${member.address}:${portsOf.postgres} check port ${portsOf.rest} on-marked-down shutdown-sessions`
  return [
    'global',
    '  maxconn 1000',
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 1h',
    '  timeout server 1h',
    '  timeout check 2s',
    '  default-server inter 1s fall 2 rise 1',
    'listen primary',
    `  bind 127.0.0.1:${fronts.primary}`,
    '  option clitcpka',
    '  option srvtcpka',
    '  option httpchk GET /primary',
    '  http-check expect status 200',
    ...members.map(server),
    ...members.flatMap((member, nth) => [
      `listen replica-${member.name}`,
      `  bind 127.0.0.1:${fronts.replicas[nth]}`,
      '  option httpchk GET /replica',
      '  http-check expect status 200',
      server(member),
    ]),
    '',
  ].join('\n')
}

/** Transactions are pooled; a primary that moved is found within a second or two. */
export function pgbouncerConfig(fronts: Fronts): string {
  return [
    '[databases]',
    `fieldwork = host=127.0.0.1 port=${fronts.primary} dbname=fieldwork user=fieldwork`,
    '[pgbouncer]',
    'listen_addr = 127.0.0.1',
    `listen_port = ${fronts.pooled}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 20',
    'max_client_conn = 200',
    'idle_transaction_timeout = 30',
    'server_login_retry = 1',
    'server_connect_timeout = 3',
    'query_wait_timeout = 10',
    '',
  ].join('\n')
}
