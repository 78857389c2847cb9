import type { OperationContext } from 'greenhouse-mock'
import { defineCollection, defineOperation, definePlugin } from 'greenhouse-mock/config'
import * as z from 'zod'

const percent = z.number().min(0).max(100)

const shown = z.object({ id: z.string(), plant: z.int(), moisture: percent, alarm_below: percent })

const sensors = defineCollection({ name: 'sensors', schema: shown.extend({ account: z.string() }) })

const show = ({ id, plant, moisture, alarm_below }: z.infer<typeof shown>) => ({
  id,
  plant,
  moisture,
  alarm_below,
})

/** Returns the caller's sensor that the path names. */
function find({
  collection,
  params,
  caller,
  error,
}: OperationContext<{ readonly sensor_id: string }>) {
  const sensor = collection(sensors).get(params.sensor_id)
  if (sensor?.account === caller.account.id) return sensor
  throw error(404, `There is no sensor ${params.sensor_id}.`)
}

const listSensors = defineOperation({
  id: 'sensors.list',
  method: 'GET',
  path: '/',
  scope: 'sensors:read',
  query: z.object({ plant: z.int().optional() }),
  result: z.array(shown),
  handle: ({ collection, caller, query: { plant } }) =>
    collection(sensors)
      .find({ account: caller.account.id, ...(plant !== undefined && { plant }) })
      .map(show),
})

const addSensor = defineOperation({
  id: 'sensors.create',
  method: 'POST',
  path: '/',
  scope: 'sensors:write',
  body: z.object({ plant: z.int(), alarm_below: percent.default(10) }),
  example: { plant: 101, alarm_below: 20 },
  result: shown,
  status: 201,
  errors: [404],
  handle({ body, records, collection, caller, id, error }) {
    const plant = records.plants.get(body.plant)
    if (plant?.account !== caller.account.id) throw error(404, `There is no plant ${body.plant}.`)
    return show(
      collection(sensors).create({
        ...body,
        id: id('sensor'),
        account: caller.account.id,
        moisture: 100,
      }),
    )
  },
})

const getSensor = defineOperation({
  id: 'sensors.get',
  method: 'GET',
  path: '/{sensor_id}',
  scope: 'sensors:read',
  result: shown,
  errors: [404],
  handle: (context) => show(find(context)),
})

const changeSensor = defineOperation({
  id: 'sensors.update',
  method: 'PATCH',
  path: '/{sensor_id}',
  scope: 'sensors:write',
  body: z.object({ alarm_below: percent }),
  example: { alarm_below: 30 },
  result: shown,
  errors: [404],
  handle: (context) => show(context.collection(sensors).update(find(context).id, context.body)!),
})

const removeSensor = defineOperation({
  id: 'sensors.delete',
  method: 'DELETE',
  path: '/{sensor_id}',
  scope: 'sensors:write',
  errors: [404],
  handle: (context) => void context.collection(sensors).delete(find(context).id),
})

const report = defineOperation({
  id: 'sensors.report',
  method: 'POST',
  path: '/{sensor_id}/readings',
  title: 'Report a reading',
  scope: 'sensors:write',
  body: z.object({ moisture: percent }),
  example: { moisture: 42 },
  result: shown,
  errors: [404],
  emits: { 'sensor.dry': shown },
  handle(context) {
    const before = find(context)
    const after = context.collection(sensors).update(before.id, context.body)!
    const isDry = after.moisture < after.alarm_below
    if (isDry && before.moisture >= after.alarm_below) context.emit('sensor.dry', show(after))
    return show(after)
  },
})

/** Sensors in the soil of plants. A webhook hears of plants that are dry. */
export const sensorPlugin = () =>
  definePlugin({
    name: 'greenhouse-sensors',
    areas: [{ name: 'sensors', title: 'Greenhouse sensors' }],
    operations: [listSensors, addSensor, getSensor, changeSensor, removeSensor, report],
    collections: [sensors],
    scenarios: {
      'dead-battery': {
        title: 'Sensors do not report',
        description: 'The batteries of all sensors are empty, so readings are not taken.',
        covers: 'what an app shows for a sensor that is silent',
        respond: [{ on: 'sensors.report', status: 503 }],
      },
    },
    fixtures: {
      sensors: [
        { id: 'sensor_fern', account: 'acct_pro', plant: 101, moisture: 55, alarm_below: 20 },
      ],
    },
  })
