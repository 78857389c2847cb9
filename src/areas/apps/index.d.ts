import type { Area } from '../../core/operation.ts';
/** Area B: app management. */
export declare const appsArea: Area;
