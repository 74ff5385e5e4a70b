import { join } from 'node:path'
import pino from 'pino'
import { sweepKilledRestore } from './backup/load.ts'
import { checkInBackground } from './backup/quickCheck.ts'
import { demoWarning } from './calls/session/demoPassword.ts'
import type { Services } from './core/context.ts'
import { acquireDataDir, networkWarning } from './core/dataDirLock.ts'
import { logTo } from './core/log.ts'
import { restrictPermissions } from './core/ownFolder.ts'
import { portTrouble } from './core/portTrouble.ts'
import { RELEASE } from './core/release.ts'
import { mailWarning, readSettings, type Settings, SettingsError } from './core/settings.ts'
import { fillWhenEmpty } from './demo/fill.ts'
import { organizationOf, senderOf } from './domain/organization.ts'
import { warmAtStart } from './domain/visit/warm.ts'
import { giveUp } from './exitMessage.ts'
import { sweepDaily } from './files/sweep.ts'
import { buildApp } from './http/app.ts'
import { openMonitoring } from './http/metrics.ts'
import { readArguments } from './operatorCommand.ts'
import { SERVER_HELP } from './serverHelp.ts'
import { closeServices, createServices } from './services.ts'
import { LEAVE_WITHIN_MS, shutdownGracefully } from './shutdown.ts'
import { startTraces } from './traces.ts'

function settingsOrGiveUp(): Settings {
  try {
    readArguments(SERVER_HELP, {})
    return readSettings(process.env)
  } catch (error) {
    return giveUp(error)
  }
}

const settings = settingsOrGiveUp()
const log = pino(
  { level: settings.logLevel, base: null },
  process.stdout.isTTY
    ? pino.transport({ target: 'pino-pretty', options: { colorize: true, ignore: 'pid,hostname' } })
    : logTo(1),
)

/** Says what keeps emails from arriving; the server runs meanwhile, and they wait. */
async function warnOfMail({ mailer, database, log: to }: Services): Promise<void> {
  try {
    const trouble = await mailer.trouble()
    if (trouble) to.warn(trouble)
    const { address } = senderOf(await organizationOf(database.db)).from
    if (mailer.sends && address.endsWith('.test'))
      to.warn(`Emails come from ${address}, which no mail server takes: enter a sender in the organization’s settings.`)
  } catch (error) {
    to.warn({ err: error }, 'the mail settings could not be checked')
  }
}

let services: Services | null = null
let refund = () => {}
try {
  for (const sentence of restrictPermissions(settings)) log.warn(sentence)
  refund = acquireDataDir(settings.dataDir, giveUp)
  log.info(`Fieldwork ${RELEASE} starts on Node ${process.version}`)
  const where = settings.directUrl ? { url: settings.directUrl } : { file: join(settings.dataDir, 'fieldwork.db') }
  if (await sweepKilledRestore(where)) log.info('what a killed restore left was removed')
  const network = networkWarning(settings.dataDir)
  if (network) log.warn(network)
  process.on('exit', refund)
  const stopTraces = await startTraces(settings)
  services = await createServices(settings, log)
  const trouble = await services.files.trouble()
  if (trouble?.fatal) throw new SettingsError(trouble.sentence)
  if (trouble) log.warn(trouble.sentence)
  const mail = mailWarning(settings)
  if (mail) log.warn(mail)
  const demo = await fillWhenEmpty(services.database, settings)
  const warning = demo ? await demoWarning(services.database.db, settings) : null
  if (warning) log.warn(warning)
  const monitoring = settings.metricsPort === null ? null : openMonitoring(services)
  const app = await buildApp(services)
  monitoring?.watch(app)
  await warmAtStart(services)
  // First, so that a port in use is noticed before anybody is served.
  if (monitoring) log.info(`metrics at ${await monitoring.listen(settings.metricsPort!, settings.metricsHost)}`)
  const address = await app.listen({ port: settings.port, host: settings.host })
  services.jobs.wake()
  sweepDaily(services)
  checkInBackground(services)
  void warnOfMail(services)
  const ready = `Fieldwork is ready at ${address}`
  if (!process.stdout.isTTY) log.info(ready)
  else if (demo && !warning)
    console.log(`${ready}\n  admin@fieldwork.test and client@fieldwork.test, both with the password Fieldwork-1!`)
  else console.log(ready)

  let ending = false
  const end = async (signal: string) => {
    if (ending) process.exit(1)
    ending = true
    log.info(`${signal}: ending`)
    // Ctrl+C at a terminal: there is no proxy to wait for.
    const drain = signal === 'SIGTERM' ? settings.drainSeconds * 1000 : 0
    setTimeout(() => process.exit(1), drain + LEAVE_WITHIN_MS).unref()
    await shutdownGracefully(app, services!, drain)
    await monitoring?.close()
    // An unreachable collector must not keep the server from ending.
    await stopTraces().catch((error: unknown) => log.warn({ err: error }, 'the last traces could not be sent'))
    refund()
    process.exit(0)
  }
  process.on('SIGINT', () => void end('SIGINT'))
  process.on('SIGTERM', () => void end('SIGTERM'))
} catch (error) {
  if (services) await closeServices(services).catch(() => {})
  giveUp(portTrouble(error, settings.host, settings.port, 'PORT', 'HOST') ?? error)
}
