/** Requests per minute and per UTC day of each plan (stated). */
export declare const plans: {
    readonly free: {
        readonly minute: 60;
        readonly day: 1000;
    };
    readonly lite: {
        readonly minute: 120;
        readonly day: 5000;
    };
    readonly pro: {
        readonly minute: 300;
        readonly day: 25000;
    };
    readonly pro_plus: {
        readonly minute: 600;
        readonly day: 100000;
    };
};
/** The name of a plan, as fixtures and scenarios write it. */
export type PlanName = keyof typeof plans;
export declare const planNames: [PlanName, ...PlanName[]];
