export const areaNames = ['plants', 'apps'] as const

/** The name of a built-in area. */
export type AreaName = (typeof areaNames)[number]
