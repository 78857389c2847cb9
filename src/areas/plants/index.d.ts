import type { Area } from '../../core/operation.ts';
/** Area A: the plant store. */
export declare const plantsArea: Area;
